import { Counters } from './counters.ts'
import { StringTable } from './string-table.ts'

/** One check-in point: how often each guest entered there, and how many guests did. */
interface PointAdmissions {
  times: Counters
  guests: number
}

/**
 * How often each guest entered each point, in a byte each: there may be a million guests. Guests keep their numbers, in the order
 * in which they first came.
 */
export class Admissions {
  readonly strings = { guests: new StringTable(), points: new StringTable() }
  readonly #points: PointAdmissions[] = []
  /** At how many points each guest has entered. */
  readonly #inside = new Counters()
  /** Guests with a granted check-in. */
  guests = 0
  /** The number of each guest's category; 0 while it is unknown. */
  readonly #categories: number[] = []
  readonly #categoryNumbers = new Map<string, number>()
  readonly #byCategory: number[] = [0]
  /** Guests who were counted or taken back since the last `takeRecounted`, and who called it; undefined before the first call. */
  #recounted: Set<number> | undefined
  #taker: object | undefined

  /** The uids of guests who were let in, by number. */
  get uids(): string[] {
    return this.strings.guests.strings
  }

  /** Counts a granted check-in of a guest at a point, by their numbers, or takes it back. */
  count(guest: number, number: number, by: 1 | -1): void {
    this.#points[number] ??= { times: new Counters(), guests: 0 }
    const point = this.#points[number]
    this.#recounted?.add(guest)
    const times = point.times.add(guest, by)
    const turned = by === 1 ? 1 : 0
    if (times !== turned) return
    point.guests += by
    if (this.#inside.add(guest, by) !== turned) return
    this.guests += by
    this.#addTo(this.#categories[guest] ?? 0, by)
  }

  /** How many guests have a granted check-in at a point. */
  guestsAt(accesspoint_id: string): number {
    const number = this.strings.points.known(accesspoint_id)
    return number === undefined ? 0 : (this.#points[number]?.guests ?? 0)
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

  /** How often a guest has entered each point where it did. */
  timesOf(uid: string): [accesspoint_id: string, times: number][] {
    const guest = this.strings.guests.known(uid)
    if (guest === undefined || this.#inside.get(guest) === 0) return []
    return this.strings.points.strings.flatMap((id, number): [string, number][] => {
      const times = this.#points[number]?.times.get(guest) ?? 0
      return times > 0 ? [[id, times]] : []
    })
  }

  /** The number of a guest who was once let in. */
  numberOf(uid: string): number | undefined {
    return this.strings.guests.known(uid)
  }

  /** Sets a guest's category; undefined if the guest is deleted. */
  setCategory(guest: number, category: string | undefined): void {
    const number = category === undefined ? 0 : this.#categoryOf(category)
    const before = this.#categories[guest] ?? 0
    if (before === number) return
    while (this.#categories.length < guest) this.#categories.push(0)
    this.#categories[guest] = number
    if (this.#inside.get(guest) === 0) return
    this.#addTo(before, -1)
    this.#addTo(number, 1)
  }

  /** The number of guests with a granted check-in, by category. */
  byCategory(): { guest_category_id: string; count: number }[] {
    return [...this.#categoryNumbers].map(([guest_category_id, number]) => ({
      guest_category_id,
      count: this.#byCategory[number] as number,
    }))
  }

  #addTo(category: number, by: number): void {
    this.#byCategory[category] = (this.#byCategory[category] as number) + by
  }

  #categoryOf(category: string): number {
    return this.#categoryNumbers.getOrInsertComputed(category, () => this.#byCategory.push(0) - 1)
  }
}
