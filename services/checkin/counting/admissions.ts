import type { Move } from '@gatehouse/door/decision.ts'
import { AdmissionRows } from './admission-rows.ts'
import { Counters } from './counters.ts'
import { Occupancy } from './occupancy.ts'
import { Parties } from './parties.ts'
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
 * in which they first came. Persons of a guest count up to its party's size, as guests count once, however often they come. Who goes out
 * counts at that point alone.
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
  readonly #parties = new Parties()
  readonly #rows = new AdmissionRows()
  readonly occupancy = new Occupancy(this.#rows, this.#parties, this.strings.points)
  /** Guests who were counted or taken back since the last `takeRecounted`, and who called it; undefined before the first call. */
  #recounted: Set<number> | undefined
  #taker: object | undefined

  /** The uids of guests who were let in or out, by number. */
  get uids(): string[] {
    return this.strings.guests.strings
  }

  /** Counts a granted check-in, and returns its number, by which it can be taken back. */
  add(guest_uid: string, { accesspoint_id, at, persons, isExit = false }: Move): number {
    const point = this.strings.points.numberOf(accesspoint_id)
    const guest = this.strings.guests.numberOf(guest_uid)
    const row = this.#rows.add(guest, point, at, isExit ? -persons : persons)
    this.occupancy.add(row)
    this.#count(guest, point, persons, isExit)
    return row
  }

  /** Takes back a check-in that `add` has counted. */
  remove(row: number): void {
    const persons = this.#rows.persons[row] as number
    this.occupancy.remove(row)
    this.#count(this.#rows.guests[row] as number, this.#rows.points[row] as number, -Math.abs(persons), persons < 0)
    this.#rows.remove(row)
  }

  #count(guest: number, number: number, by: number, isExit: boolean): void {
    this.#points[number] ??= { times: new Counters(), guests: 0, persons: 0 }
    const point = this.#points[number]
    this.#recounted?.add(guest)
    const party = this.#parties.sizeOf(guest)
    const { guests, persons } = counted(point.times.add(guest, by), by, party)
    point.guests += guests
    point.persons += persons
    if (isExit) return
    const entered = counted(this.#entered.add(guest, by), by, party)
    this.#addTo(guest, entered.guests, entered.persons)
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

  /** The check-ins that let a guest in or out, in the order of their moments; of one moment, those that let in come first. */
  movesOf(uid: string): Required<Move>[] {
    const guest = this.strings.guests.known(uid)
    if (guest === undefined) return []
    const { moments, points, persons } = this.#rows
    const rows = this.#rows.ofGuest(guest).map((row) => ({
      accesspoint_id: this.strings.points.strings[points[row] as number] as string,
      at: moments[row] as number,
      persons: Math.abs(persons[row] as number),
      isExit: (persons[row] as number) < 0,
    }))
    return rows.sort((one, other) => one.at - other.at || Number(one.isExit) - Number(other.isExit))
  }

  /** The number of a guest who was once let in. */
  numberOf(uid: string): number | undefined {
    return this.strings.guests.known(uid)
  }

  /** Sets a guest's category and party; both are undefined if the guest is deleted, all of whose persons count. */
  setGuest(guest: number, category: string | undefined, party_size: number | undefined): void {
    const number = category === undefined ? 0 : this.#categoryOf(category)
    const before = this.#parties.sizeOf(guest)
    const after = category === undefined ? Number.POSITIVE_INFINITY : (party_size ?? 1)
    if ((this.#categories[guest] ?? 0) === number && before === after) return
    const entered = this.#entered.get(guest)
    const isIn = entered > 0 ? 1 : 0
    this.#addTo(guest, -isIn, -Math.min(entered, before))
    while (this.#categories.length < guest) this.#categories.push(0)
    this.#categories[guest] = number
    this.#parties.set(guest, category === undefined ? undefined : after)
    this.occupancy.recount(guest)
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

/** Returns by how much the numbers of guests and of persons change after a guest's count has changed by some persons to a number. */
function counted(after: number, by: number, party: number): Entered {
  const before = after - by
  return {
    guests: Number(after > 0) - Number(before > 0),
    persons: Math.min(after, party) - Math.min(before, party),
  }
}
