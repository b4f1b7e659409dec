import { RisingVarints, Varints } from './columns.ts'
import type { LinkTerms } from './decision.ts'
import type { KnownGuest, Snapshot, UsesAtPoints } from './snapshot.ts'
import {
  FORMAT,
  type SnapshotLink,
  type SnapshotMessage,
  type SnapshotTerm,
  type TextColumn,
  type UsesColumn,
} from './snapshot-format.ts'

/** What is whole in each message. */
export type SnapshotHead = Omit<Snapshot, 'guests' | 'uses' | 'dailyUses' | 'entered'>

/** How many persons of a guest's allowance are used, by check-in point, and by day of an allowance for each day. */
export type UsesOfGuest = Iterable<readonly [accesspoint_id: string, count: number, day?: number]>

/** The uses of guests, by check-in point and day. */
class UsesColumns {
  readonly #columns = new Map<
    string,
    { accesspoint: number; day: number | undefined; guests: RisingVarints; counts: Varints }
  >()

  add(number: number, accesspoint: number, count: number, day: number | undefined): void {
    const key = `${accesspoint} ${day ?? ''}`
    const column = this.#columns.get(key) ?? { accesspoint, day, guests: new RisingVarints(), counts: new Varints() }
    this.#columns.set(key, column)
    column.guests.add(number)
    column.counts.add(count)
  }

  columns(): UsesColumn[] {
    return Array.from(this.#columns.values(), ({ accesspoint, day, ...columns }) => ({
      accesspoint,
      ...(day !== undefined && { day }),
      ...textsOf(columns),
    }))
  }
}

/** Texts of some of the guests. */
class Texts {
  readonly #guests = new RisingVarints()
  readonly #texts: string[] = []

  add(number: number, text: string | null | undefined): void {
    if (!text) return
    this.#guests.add(number)
    this.#texts.push(text)
  }

  /** The column; undefined if no guest has a text. */
  column(): TextColumn | undefined {
    return this.#texts.length > 0 ? { guests: String(this.#guests), texts: this.#texts } : undefined
  }
}

/** Writes the message of a snapshot or a difference, guest by guest. What guests have at points that the head lacks is left out. */
export class SnapshotWriter {
  readonly #head: SnapshotHead
  readonly #points: Map<string, number>
  readonly #categories: Map<string, number>
  readonly #uses = new UsesColumns()
  readonly #entered = new UsesColumns()
  readonly #hashes: string[] = []
  readonly #categoryColumn = new Varints()
  readonly #own = { guests: new RisingVarints(), accesspoints: new Varints(), once: new Varints() }
  readonly #names = {
    guests: new RisingVarints(),
    first_names: [] as (string | null)[],
    last_names: [] as (string | null)[],
  }
  readonly #texts = { companies: new Texts(), positions: new Texts(), messages: new Texts() }
  /** By the key of the guest field. */
  readonly #values: Map<string, Texts>
  readonly #parties = { guests: new RisingVarints(), sizes: new Varints() }
  #hasParties = false
  #gone = ''

  constructor(head: SnapshotHead) {
    this.#head = head
    this.#points = numbered(head.accesspoints.keys())
    this.#categories = numbered(head.categories.keys())
    this.#values = new Map(Array.from(head.fields.keys(), (key) => [key, new Texts()]))
  }

  /** `entered`: how many came in, where that is more than what is used. */
  add(hash: string, guest: KnownGuest, uses: UsesOfGuest, entered: UsesOfGuest = []): void {
    const number = this.#hashes.push(hash) - 1
    this.#categoryColumn.add(this.#categoryOf(guest.guest_category_id))
    for (const { accesspoint_id, access_once } of guest.access_privileges) {
      const point = this.#points.get(accesspoint_id)
      if (point === undefined) continue
      this.#own.guests.add(number)
      this.#own.accesspoints.add(point)
      this.#own.once.add(access_once ? 1 : 0)
    }
    const { first_name = null, last_name = null } = guest
    if (first_name !== null || last_name !== null) {
      this.#names.guests.add(number)
      this.#names.first_names.push(first_name)
      this.#names.last_names.push(last_name)
    }
    this.#addTexts(number, guest)
    if (guest.party_size !== undefined && guest.party_size !== 1) {
      this.#hasParties = true
      this.#parties.guests.add(number)
      this.#parties.sizes.add(guest.party_size)
    }
    this.#addUses(this.#uses, number, uses)
    this.#addUses(this.#entered, number, entered)
  }

  #addUses(columns: UsesColumns, number: number, uses: UsesOfGuest): void {
    for (const [accesspoint_id, count, day] of uses) {
      const accesspoint = this.#points.get(accesspoint_id)
      if (accesspoint !== undefined && count > 0) columns.add(number, accesspoint, count, day)
    }
  }

  #addTexts(number: number, { company_name, position, message, guest_metadata = [] }: KnownGuest): void {
    this.#texts.companies.add(number, company_name)
    this.#texts.positions.add(number, position)
    this.#texts.messages.add(number, message)
    for (const { name, value } of guest_metadata) this.#values.get(name)?.add(number, value)
  }

  /** The columns of texts that are not empty. */
  #textColumns(): Pick<SnapshotMessage['guests'], 'companies' | 'positions' | 'messages' | 'values'> {
    const named = Object.entries(this.#texts).flatMap(([name, texts]) => {
      const column = texts.column()
      return column ? [[name, column] as const] : []
    })
    const values = [...this.#values.values()].flatMap((texts, field) => {
      const column = texts.column()
      return column ? [{ field, ...column }] : []
    })
    return { ...Object.fromEntries(named), ...(values.length > 0 && { values }) }
  }

  /** The hash of someone who is no guest any more. */
  addGone(hash: string): void {
    this.#gone += hash
  }

  finish(kind: SnapshotMessage['kind'], cursor_too_old = false): string {
    const { event_id, cursor, made_at, salt, accesspoints, areas, exits, areaOf, day, categories, fields, links } =
      this.#head
    // A guest's category may have been deleted meanwhile.
    const all = Array.from(this.#categories.keys(), (_id) => {
      const { name = '', walk_in } = categories.get(_id) ?? {}
      return { _id, name, ...(walk_in && { walk_in }) }
    })
    const entered = this.#entered.columns()
    const message: SnapshotMessage = {
      format: FORMAT,
      kind,
      ...(cursor_too_old && { cursor_too_old }),
      event_id,
      cursor,
      made_at,
      salt,
      categories: all,
      ...(areas.size > 0 && { areas: Array.from(areas, ([_id, area]) => ({ _id, ...area })) }),
      ...(fields.size > 0 && { fields: Array.from(fields, ([key, { label }]) => ({ key, label })) }),
      day,
      accesspoints: Array.from(accesspoints, ([_id, point]) => ({
        _id,
        ...point,
        ...(areaOf.has(_id) && { area: areaOf.get(_id) as string }),
        ...(exits.has(_id) && { direction: 'out' as const }),
        links: Array.from(links.get(_id) ?? [], ([category, terms]) =>
          linkOf(this.#categories.get(category) ?? -1, terms),
        ).filter(([category]) => category >= 0),
      })),
      guests: {
        hashes: btoa(this.#hashes.join('')),
        categories: String(this.#categoryColumn),
        own: textsOf(this.#own),
        names: { ...this.#names, guests: String(this.#names.guests) },
        ...this.#textColumns(),
        ...(this.#hasParties && { parties: textsOf(this.#parties) }),
        uses: this.#uses.columns(),
        ...(entered.length > 0 && { entered }),
      },
      gone: btoa(this.#gone),
    }
    return JSON.stringify(message)
  }

  #categoryOf(id: string): number {
    const known = this.#categories.get(id)
    if (known !== undefined) return known
    this.#categories.set(id, this.#categories.size)
    return this.#categories.size - 1
  }
}

/** A snapshot as the message of a whole one, to keep it. */
export function writeSnapshot({ guests, uses, dailyUses, entered, ...head }: Snapshot): string {
  const writer = new SnapshotWriter(head)
  for (const [hash, guest] of guests)
    writer.add(hash, guest, usesOfGuest({ uses, dailyUses }, hash), usesOfGuest(entered, hash))
  return writer.finish('whole')
}

function usesOfGuest({ uses, dailyUses }: UsesAtPoints, hash: string): UsesOfGuest {
  const ofGuest = Array.from(uses, ([point, counts]) => [point, counts.get(hash) ?? 0] as const)
  const daily = [...dailyUses].flatMap(([point, counts]) =>
    Array.from(counts.get(hash) ?? [], ([day, count]) => [point, count, day] as const),
  )
  return [...ofGuest, ...daily]
}

function linkOf(category: number, link: LinkTerms): SnapshotLink {
  const { max_allowed_accesses, valid_from = null, valid_until = null, period, reentry } = link
  const terms: SnapshotTerm[] = [...(period ? (['day'] as const) : []), ...(reentry ? (['reentry'] as const) : [])]
  if (terms.length > 0) return [category, max_allowed_accesses, valid_from, valid_until, terms]
  if (valid_from === null && valid_until === null) return [category, max_allowed_accesses]
  return [category, max_allowed_accesses, valid_from, valid_until]
}

function numbered(ids: Iterable<string>): Map<string, number> {
  return new Map(Array.from(ids, (id, number) => [id, number]))
}

function textsOf<Name extends string>(columns: Record<Name, object>): Record<Name, string> {
  const texts = Object.entries<object>(columns).map(([name, column]) => [name, String(column)])
  return Object.fromEntries(texts) as Record<Name, string>
}
