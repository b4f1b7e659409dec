import { nameKey, namesOf } from '@gatehouse/imports/check-ins/guest-finder.ts'
import type { GuestOfName, KnownGuest, Person } from '@gatehouse/imports/system.ts'
import type { Item } from '../server/server.ts'

/** Fields by which a ticket without a code is told from others. */
const TOLD_BY = ['order_uid', 'first_name', 'last_name', 'email', 'company_name'] as const

/** The guests of an event, as an import needs them: by code, address and name. */
export class GuestIndex {
  readonly #byCode = new Map<string, GuestOfName>()
  readonly #ids = new Map<string, string>()
  readonly #byEmail = new Map<string, GuestOfName[]>()
  readonly #byName = new Map<string, GuestOfName[]>()
  /** The codes of guests with the same content. */
  readonly #byContent = new Map<string, string[]>()
  /** How many tickets of a pass over a file were found by their content. */
  #found = new Map<string, number>()
  /** The codes of guests by what their tickets are told by. */
  readonly #codes = new Map<string, string>()

  /** Adds a guest who was there before the import. */
  addStored(item: Item): void {
    const guest = this.#add(item)
    const key = contentOf(item)
    listAt(this.#byContent, key).push(guest.uid)
  }

  /** Adds a guest whom the import has created. */
  addCreated(_id: string, item: Item): void {
    this.#codes.set(_id, this.#add(item).uid)
  }

  /** Begins another pass over a file. */
  begin(): void {
    this.#found = new Map()
  }

  /** Those of these guests who are there. A ticket without a code is there if a guest has what it says; each guest counts once. */
  known(given: readonly KnownGuest[], codes: readonly string[]): { ids: Set<string>; codes: Set<string> } {
    const ids = new Set(given.filter((each) => this.#isThere(each)).map(({ _id }) => _id))
    return { ids, codes: new Set(codes.filter((code) => this.#byCode.has(code))) }
  }

  codeOf(_id: string): string | undefined {
    return this.#codes.get(_id) ?? this.#ids.get(_id)
  }

  withCodes(codes: readonly string[]): GuestOfName[] {
    return codes.flatMap((code) => this.#byCode.get(code) ?? [])
  }

  like({ email, name }: Person): readonly GuestOfName[] {
    return (email === undefined ? this.#byName.get(nameKey(name ?? '')) : this.#byEmail.get(email.toLowerCase())) ?? []
  }

  #isThere({ _id, code, fields }: KnownGuest): boolean {
    if (code !== undefined) return this.#byCode.has(code)
    if (this.#ids.has(_id) || this.#codes.has(_id)) return true
    const key = contentOf(fields)
    const before = this.#found.get(key) ?? 0
    const found = this.#byContent.get(key)?.[before]
    if (found === undefined) return false
    this.#found.set(key, before + 1)
    this.#codes.set(_id, found)
    return true
  }

  #add(item: Item): GuestOfName {
    const {
      uid,
      guest_category_id,
      access_privileges = [],
      first_name,
      last_name,
      email,
    } = item as unknown as GuestOfName
    const guest = { uid, guest_category_id, access_privileges, first_name, last_name, email }
    this.#byCode.set(uid, guest)
    this.#ids.set(String(item._id), uid)
    if (email) listAt(this.#byEmail, email.toLowerCase()).push(guest)
    listAt(this.#byName, namesOf(guest)).push(guest)
    return guest
  }
}

function contentOf(fields: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(TOLD_BY.map((name) => fields[name] ?? null))
}

function listAt<T>(lists: Map<string, T[]>, key: string): T[] {
  const list = lists.get(key) ?? []
  lists.set(key, list)
  return list
}
