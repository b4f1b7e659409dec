import { Counters } from './counters.ts'
import type { Entered } from './segments.ts'

/** Granted check-ins as numbers: guest, point, guest, point … */
export type Places = Uint32Array

/** One check-in point: how often each guest entered there, and how many guests did. */
interface Point {
  times: Counters
  guests: number
}

/**
 * Which guests entered where how often, in so few bytes that a million of them find room. Guests have numbers, in the order in which
 * they first came, and keep them.
 */
export class Admissions {
  readonly #numbers = new Map<string, number>()
  /** The uid of each number. */
  readonly uids: string[] = []
  readonly #pointNumbers = new Map<string, number>()
  readonly #points: Point[] = []
  /** At how many points each guest is let in. */
  readonly #inside = new Counters()
  /** Guests with a granted check-in. */
  guests = 0
  /** The number of each guest's category, 0 while it is not known. */
  readonly #categories: number[] = []
  readonly #categoryNumbers = new Map<string, number>()
  readonly #byCategory: number[] = [0]

  /** The places of what entered. */
  placesOf(entered: Entered): Places {
    const places = new Uint32Array(2 * entered.reduce((sum, [, uids]) => sum + uids.length, 0))
    let at = 0
    for (const [accesspoint_id, uids] of entered) {
      const point = this.#pointOf(accesspoint_id)
      for (const uid of uids) {
        places[at++] = this.#guestOf(uid)
        places[at++] = point
      }
    }
    return places
  }

  /** Counts places, or takes them back. */
  count(places: Places, by: 1 | -1): void {
    for (let at = 0; at < places.length; at += 2) this.#count(places[at] as number, places[at + 1] as number, by)
  }

  #count(guest: number, number: number, by: 1 | -1): void {
    const point = this.#points[number] as Point
    const times = point.times.add(guest, by)
    const turned = by === 1 ? 1 : 0
    if (times !== turned) return
    point.guests += by
    if (this.#inside.add(guest, by) !== turned) return
    this.guests += by
    this.#addTo(this.#categories[guest] as number, by)
  }

  /** Distinct guests with a granted check-in at a point. */
  guestsAt(accesspoint_id: string): number {
    const number = this.#pointNumbers.get(accesspoint_id)
    return number === undefined ? 0 : (this.#points[number] as Point).guests
  }

  /** The number of a guest who was let in once. */
  numberOf(uid: string): number | undefined {
    return this.#numbers.get(uid)
  }

  /** A uid as it is held here, for who would hold another one of the same text; as given where it is not. */
  held(uid: string): string {
    const number = this.#numbers.get(uid)
    return number === undefined ? uid : (this.uids[number] as string)
  }

  /** Puts a guest in a category; undefined where there is no such guest any more. */
  setCategory(guest: number, category: string | undefined): void {
    const number = category === undefined ? 0 : this.#categoryOf(category)
    const before = this.#categories[guest] as number
    if (before === number) return
    this.#categories[guest] = number
    if (this.#inside.get(guest) === 0) return
    this.#addTo(before, -1)
    this.#addTo(number, 1)
  }

  /** Guests with a granted check-in, by the category they are in. */
  byCategory(): { guest_category_id: string; count: number }[] {
    return [...this.#categoryNumbers].map(([guest_category_id, number]) => ({
      guest_category_id,
      count: this.#byCategory[number] as number,
    }))
  }

  #addTo(category: number, by: number): void {
    this.#byCategory[category] = (this.#byCategory[category] as number) + by
  }

  #guestOf(uid: string): number {
    const known = this.#numbers.get(uid)
    if (known !== undefined) return known
    this.#numbers.set(uid, this.uids.length)
    this.#categories.push(0)
    return this.uids.push(uid) - 1
  }

  #pointOf(accesspoint_id: string): number {
    const known = this.#pointNumbers.get(accesspoint_id)
    if (known !== undefined) return known
    this.#pointNumbers.set(accesspoint_id, this.#points.length)
    return this.#points.push({ times: new Counters(), guests: 0 }) - 1
  }

  #categoryOf(category: string): number {
    const known = this.#categoryNumbers.get(category)
    if (known !== undefined) return known
    this.#categoryNumbers.set(category, this.#byCategory.length)
    return this.#byCategory.push(0) - 1
  }
}
