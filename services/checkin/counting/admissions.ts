import { Counters } from './counters.ts'
import { StringTable } from './string-table.ts'

/** One check-in point: how many persons of each guest entered there, how many guests did, and how many persons in all. */
interface PointAdmissions {
  times: Counters
  guests: number
  persons: number
}

/** How many guests entered, and how many persons. */
interface Entered {
  guests: number
  persons: number
}

const NOBODY: Entered = { guests: 0, persons: 0 }

/**
 * How many persons of each guest entered each point, in a byte each: there may be a million guests. Guests keep their numbers, in the order
 * in which they first came. Persons of a guest count up to its party's size, as guests count once, however often they come.
 */
export class Admissions {
  readonly strings = { guests: new StringTable(), points: new StringTable() }
  readonly #points: PointAdmissions[] = []
  /** How many persons of each guest entered, at all points together. */
  readonly #entered = new Counters()
  /** Guests with a granted check-in. */
  guests = 0
  /** Persons let in. */
  persons = 0
  /** The number of each guest's category; 0 while it is unknown. */
  readonly #categories: number[] = []
  readonly #categoryNumbers = new Map<string, number>()
  readonly #byCategory: Entered[] = [{ guests: 0, persons: 0 }]
  /** The sizes of parties of more than one. */
  readonly #parties = new Map<number, number>()
  /** Guests who were counted or taken back since the last `takeRecounted`, and who called it; undefined before the first call. */
  #recounted: Set<number> | undefined
  #taker: object | undefined

  /** The uids of guests who were let in, by number. */
  get uids(): string[] {
    return this.strings.guests.strings
  }

  /** Counts a person of a guest who was let in at a point, by their numbers, or takes it back. */
  count(guest: number, number: number, by: 1 | -1): void {
    this.#points[number] ??= { times: new Counters(), guests: 0, persons: 0 }
    const point = this.#points[number]
    this.#recounted?.add(guest)
    const times = point.times.add(guest, by)
    const entered = this.#entered.add(guest, by)
    const turned = by === 1 ? 1 : 0
    if (times === turned) point.guests += by
    // Whether the person added or taken away counts.
    const party = this.#partyOf(guest)
    if (Math.max(times, times - by) <= party) point.persons += by
    this.#addTo(guest, entered === turned ? by : 0, Math.max(entered, entered - by) <= party ? by : 0)
  }

  /** How many guests have a granted check-in at a point, and how many persons were let in there. */
  at(accesspoint_id: string): Entered {
    const { guests, persons } = this.#points[this.strings.points.known(accesspoint_id) ?? -1] ?? NOBODY
    return { guests, persons }
  }

  /**
   * The uids of guests whose check-ins were counted or taken back since the last call, among them some with as many as before; undefined at the
   * first call of a taker or if another one came between, when any of them may be.
   */
  takeRecounted(taker: object): string[] | undefined {
    const recounted = taker === this.#taker ? this.#recounted : undefined
    this.#taker = taker
    this.#recounted = new Set()
    return recounted && Array.from(recounted, (guest) => this.uids[guest] as string)
  }

  /** How many persons of a guest have entered each point where any did. */
  timesOf(uid: string): [accesspoint_id: string, times: number][] {
    const guest = this.strings.guests.known(uid)
    if (guest === undefined || this.#entered.get(guest) === 0) return []
    return this.strings.points.strings.flatMap((id, number): [string, number][] => {
      const times = this.#points[number]?.times.get(guest) ?? 0
      return times > 0 ? [[id, times]] : []
    })
  }

  /** The number of a guest who was once let in. */
  numberOf(uid: string): number | undefined {
    return this.strings.guests.known(uid)
  }

  /** Sets a guest's category and party; both are undefined if the guest is deleted, all of whose persons count. */
  setGuest(guest: number, category: string | undefined, party_size: number | undefined): void {
    const number = category === undefined ? 0 : this.#categoryOf(category)
    const before = this.#partyOf(guest)
    const after = category === undefined ? Number.POSITIVE_INFINITY : (party_size ?? 1)
    if ((this.#categories[guest] ?? 0) === number && before === after) return
    const entered = this.#entered.get(guest)
    const isIn = entered > 0 ? 1 : 0
    this.#addTo(guest, -isIn, -Math.min(entered, before))
    while (this.#categories.length < guest) this.#categories.push(0)
    this.#categories[guest] = number
    if (after > 1 && number > 0) this.#parties.set(guest, after)
    else this.#parties.delete(guest)
    this.#addTo(guest, isIn, Math.min(entered, after))
    for (const point of this.#points) {
      const times = point.times.get(guest)
      point.persons += Math.min(times, after) - Math.min(times, before)
    }
  }

  /** The number of guests with a granted check-in, and of persons let in, by category. */
  byCategory(): ({ guest_category_id: string } & Entered)[] {
    return [...this.#categoryNumbers].map(([guest_category_id, number]) => ({
      guest_category_id,
      ...(this.#byCategory[number] as Entered),
    }))
  }

  /** How many persons of a guest count at most: those of its party, or all while the guest is unknown. */
  #partyOf(guest: number): number {
    return this.#parties.get(guest) ?? (this.#categories[guest] ? 1 : Number.POSITIVE_INFINITY)
  }

  #addTo(guest: number, guests: number, persons: number): void {
    this.guests += guests
    this.persons += persons
    const category = this.#byCategory[this.#categories[guest] ?? 0] as Entered
    category.guests += guests
    category.persons += persons
  }

  #categoryOf(category: string): number {
    return this.#categoryNumbers.getOrInsertComputed(
      category,
      () => this.#byCategory.push({ guests: 0, persons: 0 }) - 1,
    )
  }
}
