import { ACCESS_GRANTED } from '@gatehouse/door/decision.ts'
import type { Admissions } from './admissions.ts'
import { type CountedCheckIn, Totals } from './totals.ts'

/** What some check-ins add up to, and who was let in by them, so that the whole group can be taken back. */
export class CheckInGroup {
  readonly #admissions: Admissions | undefined
  readonly totals: Totals
  /** The numbers of a check-in point and a guest for each person let in, one after the other. */
  #granted: number[] | Uint32Array = []

  /** Guests are not counted without `admissions`. */
  constructor(admissions: Admissions | undefined, totals = new Totals()) {
    this.#admissions = admissions
    this.totals = totals
  }

  add(checkIn: CountedCheckIn): void {
    this.totals.add(checkIn)
    if (checkIn.access_status === ACCESS_GRANTED)
      this.addGranted(checkIn.accesspoint_id, Array(checkIn.persons).fill(checkIn.guest_uid))
  }

  /** Counts guests who were let in at a point, once for each person; their check-ins are in the totals. */
  addGranted(accesspoint_id: string, uids: string[]): void {
    if (!this.#admissions) return
    const { points, guests } = this.#admissions.strings
    const point = points.numberOf(accesspoint_id)
    const granted = this.#granted as number[]
    for (const uid of uids) {
      const guest = guests.numberOf(uid)
      granted.push(point, guest)
      this.#admissions.count(guest, point, 1)
    }
  }

  /** Adds nothing more: a packed list takes half of the memory. */
  close(): this {
    this.#granted = Uint32Array.from(this.#granted)
    return this
  }

  /** Takes the guests back. */
  discard(): void {
    for (let at = 0; at < this.#granted.length; at += 2)
      this.#admissions?.count(this.#granted[at + 1] as number, this.#granted[at] as number, -1)
  }
}
