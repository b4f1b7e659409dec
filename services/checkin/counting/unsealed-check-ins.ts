import type { Admissions } from './admissions.ts'
import { CheckInGroup } from './check-in-group.ts'
import { type CountedCheckIn, Totals } from './totals.ts'

/** Short beside the half minute that is read again on each call. */
const SLICE_MS = 2_000

/**
 * The check-ins after the segments, in slices of their time of arrival: what is read again replaces whole slices. So a call rereads the last
 * half minute instead of all since the last segment: statistics of 300,000 check-ins take 6 to 11 ms (docs/performance.md).
 */
export class UnsealedCheckIns {
  readonly #admissions: Admissions | undefined
  /** By the time at which a slice begins. */
  readonly #slices = new Map<number, CheckInGroup>()

  constructor(admissions: Admissions | undefined) {
    this.#admissions = admissions
  }

  get totals(): Totals {
    return Totals.sumOf(this.#slices.values())
  }

  add(checkIns: CountedCheckIn[]): void {
    for (const checkIn of checkIns) {
      const slice = sliceOf(checkIn.arrival)
      this.#slices.getOrInsertComputed(slice, () => new CheckInGroup(this.#admissions)).add(checkIn)
    }
  }

  /** Removes the slices that begin from `from` until before `before`. */
  remove(from: number, before: number): void {
    for (const [slice, group] of this.#slices) {
      if (slice < from || slice >= before) continue
      group.discard()
      this.#slices.delete(slice)
    }
  }
}

/** When the slice of a time begins. */
export function sliceOf(time: number): number {
  return Math.floor(time / SLICE_MS) * SLICE_MS
}

/** The first time from `time` on at which a slice ends. */
export function endOfSlice(time: number): number {
  return Math.ceil(time / SLICE_MS) * SLICE_MS
}
