import { RisingVarints, Varints } from './columns.ts'
import type { LinkTerms } from './decision.ts'
import type { KnownGuest, Snapshot } from './snapshot.ts'
import { FORMAT, type SnapshotLink, type SnapshotMessage } from './snapshot-format.ts'

/** What is whole in each message. */
export type SnapshotHead = Omit<Snapshot, 'guests' | 'uses'>

/** How many persons of a guest were let in, by check-in point. */
type UsesOfGuest = Iterable<readonly [accesspoint_id: string, count: number]>

/** Writes the message of a snapshot or a difference, guest by guest. What guests have at points that the head lacks is left out. */
export class SnapshotWriter {
  readonly #head: SnapshotHead
  readonly #points: Map<string, number>
  readonly #categories: Map<string, number>
  readonly #uses: { guests: RisingVarints; counts: Varints; size: number }[]
  readonly #hashes: string[] = []
  readonly #categoryColumn = new Varints()
  readonly #own = { guests: new RisingVarints(), accesspoints: new Varints(), once: new Varints() }
  readonly #names = {
    guests: new RisingVarints(),
    first_names: [] as (string | null)[],
    last_names: [] as (string | null)[],
  }
  readonly #parties = { guests: new RisingVarints(), sizes: new Varints() }
  #hasParties = false
  #gone = ''

  constructor(head: SnapshotHead) {
    this.#head = head
    this.#points = numbered(head.accesspoints.keys())
    this.#categories = numbered(head.categories.keys())
    this.#uses = Array.from(this.#points, () => ({ guests: new RisingVarints(), counts: new Varints(), size: 0 }))
  }

  add(hash: string, guest: KnownGuest, uses: UsesOfGuest): void {
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
    if (guest.party_size !== undefined && guest.party_size !== 1) {
      this.#hasParties = true
      this.#parties.guests.add(number)
      this.#parties.sizes.add(guest.party_size)
    }
    for (const [accesspoint_id, count] of uses) {
      const column = this.#uses[this.#points.get(accesspoint_id) ?? -1]
      if (!column || count === 0) continue
      column.guests.add(number)
      column.counts.add(count)
      column.size++
    }
  }

  /** The hash of someone who is no guest any more. */
  addGone(hash: string): void {
    this.#gone += hash
  }

  finish(kind: SnapshotMessage['kind'], cursor_too_old = false): string {
    const { event_id, cursor, made_at, salt, accesspoints, categories, links } = this.#head
    // A guest's category may have been deleted meanwhile.
    const all = Array.from(this.#categories.keys(), (_id) => {
      const { name = '', walk_in } = categories.get(_id) ?? {}
      return { _id, name, ...(walk_in && { walk_in }) }
    })
    const message: SnapshotMessage = {
      format: FORMAT,
      kind,
      ...(cursor_too_old && { cursor_too_old }),
      event_id,
      cursor,
      made_at,
      salt,
      categories: all,
      accesspoints: Array.from(accesspoints, ([_id, { name }]) => ({
        _id,
        name,
        links: Array.from(links.get(_id) ?? [], ([category, terms]) =>
          linkOf(this.#categories.get(category) ?? -1, terms),
        ).filter(([category]) => category >= 0),
      })),
      guests: {
        hashes: btoa(this.#hashes.join('')),
        categories: String(this.#categoryColumn),
        own: textsOf(this.#own),
        names: { ...this.#names, guests: String(this.#names.guests) },
        ...(this.#hasParties && { parties: textsOf(this.#parties) }),
        uses: this.#uses.flatMap(({ size, ...columns }, accesspoint) =>
          size > 0 ? [{ accesspoint, ...textsOf(columns) }] : [],
        ),
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
export function writeSnapshot({ guests, uses, ...head }: Snapshot): string {
  const writer = new SnapshotWriter(head)
  for (const [hash, guest] of guests) {
    const ofGuest = Array.from(uses, ([point, counts]) => [point, counts.get(hash) ?? 0] as const)
    writer.add(hash, guest, ofGuest)
  }
  return writer.finish('whole')
}

function linkOf(category: number, { max_allowed_accesses, valid_from, valid_until }: LinkTerms): SnapshotLink {
  if (valid_from === undefined && valid_until === undefined) return [category, max_allowed_accesses]
  return [category, max_allowed_accesses, valid_from ?? null, valid_until ?? null]
}

function numbered(ids: Iterable<string>): Map<string, number> {
  return new Map(Array.from(ids, (id, number) => [id, number]))
}

function textsOf<Name extends string>(columns: Record<Name, object>): Record<Name, string> {
  const texts = Object.entries<object>(columns).map(([name, column]) => [name, String(column)])
  return Object.fromEntries(texts) as Record<Name, string>
}
