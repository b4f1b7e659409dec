import { type Message, messageOf } from '@gatehouse/proto/declaring/messages.ts'
import { foldName } from '@gatehouse/proto/formats/lists/values.ts'
import type { EventSystem, FoundGuest, Person } from '../system.ts'

/** Finds guests of an event by what a list says of them. */
export class GuestFinder {
  readonly #system: EventSystem

  constructor(system: EventSystem) {
    this.#system = system
  }

  /** The guests with these codes, by code; unknown codes are missing. */
  async withCodes(codes: readonly string[]): Promise<Map<string, FoundGuest>> {
    if (codes.length === 0) return new Map()
    const found = await this.#system.guestsWithCodes([...new Set(codes)])
    return new Map(found.map((guest) => [guest.uid, guest]))
  }

  /** The guest with an e-mail address or name; a name tells guests with one address apart. Returns why there is not exactly one. */
  async person({ email, name }: Person): Promise<FoundGuest | Message> {
    const value = email ?? name ?? ''
    const found: (FoundGuest & { names: string })[] = []
    const isIt = email === undefined ? sameName(name ?? '') : sameEmail(email)
    for await (const guest of this.#system.guestsLike({ email, name })) {
      const names = namesOf(guest)
      if (isIt({ email: guest.email, names })) found.push({ ...guest, names })
    }
    const named = name === undefined ? [] : found.filter(({ names }) => names === nameKey(name))
    const left = named.length > 0 ? named : found
    if (left.length > 1) return messageOf('ambiguous_guest', { value })
    return left[0] ?? messageOf('no_guest', { value })
  }
}

/** The names of a guest, by which those in a list are compared with them. */
export function namesOf({
  first_name,
  last_name,
}: {
  first_name?: string | null | undefined
  last_name?: string | null | undefined
}): string {
  return nameKey(`${first_name ?? ''} ${last_name ?? ''}`)
}

interface Compared {
  email: string | null | undefined
  names: string
}

function sameEmail(email: string): (guest: Compared) => boolean {
  const folded = email.toLowerCase()
  return (guest) => guest.email?.toLowerCase() === folded
}

function sameName(name: string): (guest: Compared) => boolean {
  const key = nameKey(name)
  return ({ names }) => names === key
}

/** The words of a name in one order: lists have first and last names as they like. */
export function nameKey(name: string): string {
  return name
    .split(/[\s,]+/)
    .map(foldName)
    .filter((word) => word !== '')
    .sort()
    .join(' ')
}
