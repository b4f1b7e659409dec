import { ACCESS_GRANTED, type Move } from '@gatehouse/door/decision.ts'
import type { Admissions } from './admissions.ts'
import { type CountedCheckIn, Totals } from './totals.ts'

/** What some check-ins add up to, and who was let in or out by them, so that the whole group can be taken back. */
export class CheckInGroup {
  readonly #admissions: Admissions | undefined
  readonly totals: Totals
  /** The numbers of granted check-ins among the admissions. */
  #granted: number[] | Uint32Array = []

  /** Guests are not counted without `admissions`. */
  constructor(admissions: Admissions | undefined, totals = new Totals()) {
    this.#admissions = admissions
    this.totals = totals
  }

  add(checkIn: CountedCheckIn): void {
    this.totals.add(checkIn)
    const { access_status, guest_uid, at, accesspoint_id, persons, isExit } = checkIn
    if (access_status === ACCESS_GRANTED) this.addGranted(guest_uid, { accesspoint_id, at, persons, isExit })
  }

  /** Counts a granted check-in of a guest, which is in the totals. */
  addGranted(guest_uid: string, move: Move): void {
    if (this.#admissions) (this.#granted as number[]).push(this.#admissions.add(guest_uid, move))
  }

  /** Adds nothing more: a packed list takes half of the memory. */
  close(): this {
    this.#granted = Uint32Array.from(this.#granted)
    return this
  }

  /** Takes the guests back, the latest first: their check-ins are found fastest. */
  discard(): void {
    for (let at = this.#granted.length - 1; at >= 0; at--) this.#admissions?.remove(this.#granted[at] as number)
  }
}
