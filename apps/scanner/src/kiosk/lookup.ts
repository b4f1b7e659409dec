import { fold } from '@gatehouse/proto/storage/text-folding.ts'

/** A guest of whom the server says enough to compare it with what was typed. */
export interface NamedGuest {
  uid: string
  last_name: string | null
  email: string | null
}

/** What a guest is told who has typed a name: it is scanned if there is a uid. */
export type Lookup = { uid: string } | 'none' | 'slow' | 'away'

/** How many lookups may fail within a minute on this device: somebody guesses names. */
const MOST_FAILED = 5
const WITHIN_MS = 60_000
/** How many guests are looked at: where there may be more, it is not known that one alone is meant. */
const MOST_FOUND = 100
/** How long a guest waits for the server. */
const PATIENCE_MS = 5_000

const NAME = 'gatehouse-scanner-lookups'

/** The uid of the one guest with exactly this last name and e-mail address, in any case; accents in the name do not matter. */
export async function lookUp(
  find: (words: string, most: number) => Promise<readonly NamedGuest[]>,
  last_name: string,
  email: string,
  now = Date.now(),
): Promise<Lookup> {
  const failed = failedSince(now - WITHIN_MS, now)
  if (failed.length >= MOST_FAILED) return 'slow'
  // Before it is known: closing the app meanwhile does not save it.
  note([...failed, now])
  const found = await inPatience(find(`${email.trim()} ${last_name.trim()}`, MOST_FOUND))
  if (!found) {
    note(failed)
    return 'away'
  }
  const [guest, ...others] = found.filter((each) => isMeant(each, last_name, email))
  if (!guest || others.length > 0 || found.length >= MOST_FOUND) return 'none'
  note(failed)
  return { uid: guest.uid }
}

function isMeant(guest: NamedGuest, last_name: string, email: string): boolean {
  const isSameName = plain(last_name) !== '' && plain(last_name) === plain(guest.last_name ?? '')
  return isSameName && email.trim() !== '' && guest.email?.toLowerCase() === email.trim().toLowerCase()
}

function plain(name: string): string {
  return fold(name).replace(/\s+/g, ' ').trim()
}

function inPatience<T>(answer: Promise<T>): Promise<T | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(undefined), PATIENCE_MS)
    answer.then(resolve, () => resolve(undefined)).finally(() => clearTimeout(timer))
  })
}

/** The times of failed lookups, also where the browser stores nothing. */
let noted: number[] = []

function failedSince(since: number, now: number): number[] {
  try {
    noted = JSON.parse(localStorage.getItem(NAME) ?? '[]')
  } catch {
    // What is noted here counts.
  }
  return noted.filter((at) => at > since && at <= now)
}

function note(times: number[]): void {
  noted = times
  try {
    localStorage.setItem(NAME, JSON.stringify(times))
  } catch {
    // A full disk must not end the app.
  }
}
