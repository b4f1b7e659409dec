import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { type Client, clientOf } from '@gatehouse/proto/bus/client.ts'
import type { Caller } from '@gatehouse/proto/declaring/resource.ts'
import { foldName } from '@gatehouse/proto/formats/lists/values.ts'
import { allPages } from '../pages.ts'
import { guests } from '../permissions.ts'
import { retried } from '../retry.ts'
import type { GuestRights } from './points.ts'

/** A guest as the door knows it. */
export interface FoundGuest extends GuestRights {
  uid: string
}

/** Who a row says it is, if it has no code. */
export interface Person {
  email?: string | undefined
  /** First and last name in any order. */
  name?: string | undefined
}

/** Finds guests of an event by what a list says of them. */
export class GuestFinder {
  readonly #guests: Client<typeof guests>
  readonly #caller: Caller
  readonly #eventId: string

  constructor(bus: Bus, caller: Caller, eventId: string) {
    this.#guests = clientOf(bus, guests)
    this.#caller = caller
    this.#eventId = eventId
  }

  /** The guests with these codes, by code; unknown codes are missing. */
  async withCodes(uids: readonly string[]): Promise<Map<string, FoundGuest>> {
    if (uids.length === 0) return new Map()
    const body = { event_id: this.#eventId, uids: [...new Set(uids)] }
    const found = await retried(() => this.#guests.resolve({ body }))
    return new Map(found.map((guest) => [guest.uid, guest]))
  }

  /** The guest with an e-mail address or name; a name tells guests with one address apart. Returns why there is not exactly one, in a sentence. */
  async person({ email, name }: Person): Promise<FoundGuest | string> {
    const said = email ?? name ?? ''
    const found: (FoundGuest & { names: string })[] = []
    const where = { params: { event_id: this.#eventId }, caller: this.#caller }
    const search = wordsOf(said)
    const isIt = email === undefined ? sameName(name ?? '') : sameEmail(email)
    for await (const guest of allPages((page) => this.#guests.list({ ...where, query: { ...page, search } }))) {
      const { first_name, last_name, uid, guest_category_id, access_privileges } = guest
      const names = nameKey(`${first_name ?? ''} ${last_name ?? ''}`)
      if (isIt({ email: guest.email, names })) found.push({ uid, guest_category_id, access_privileges, names })
    }
    const named = name === undefined ? [] : found.filter(({ names }) => names === nameKey(name))
    const left = named.length > 0 ? named : found
    const kind = email === undefined ? 'name' : 'e-mail address'
    if (left.length > 1) return `${left.length} guests have the ${kind} ${said}`
    return left[0] ?? `No guest has the ${kind} ${said}`
  }
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
function nameKey(name: string): string {
  return name
    .split(/[\s,]+/)
    .map(foldName)
    .filter((word) => word !== '')
    .sort()
    .join(' ')
}

/** Words to search for, without what a search reads as a form of its own. */
function wordsOf(text: string): string {
  return text.replaceAll(/[:",]/g, ' ').slice(0, 500)
}
