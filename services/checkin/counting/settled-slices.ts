import type { Admissions } from './admissions.ts'
import type { PackedCheckIns } from './packed-check-ins.ts'
import { type Part, partOf } from './parts.ts'
import { Totals } from './totals.ts'

/** Short beside the two minutes after which check-ins are sealed. */
const SLICE_MS = 10_000

/** Settled check-ins that arrived within `SLICE_MS` from `from` on. */
interface Slice extends Part {
  from: number
}

/** Check-ins that are settled and not sealed, in slices: what is read again replaces whole slices. */
export class SettledSlices {
  readonly #admissions: Admissions | undefined
  #slices: Slice[] = []
  totals = new Totals()

  constructor(admissions: Admissions | undefined) {
    this.#admissions = admissions
  }

  add(rows: PackedCheckIns): void {
    for (const [from, slice] of rows.slices(SLICE_MS)) {
      const part = partOf(slice, this.#admissions)
      this.#slices.push({ from, ...part })
      this.totals.merge(part.totals)
      this.#admissions?.count(part, 1)
    }
  }

  /** Replaces all check-ins that arrived before `before`; no slice may lie on both sides of that. */
  replace(rows: PackedCheckIns, before: number): void {
    for (const slice of this.#slices) if (slice.from < before) this.#admissions?.count(slice, -1)
    this.#slices = this.#slices.filter(({ from }) => from >= before)
    this.totals = Totals.sumOf(this.#slices)
    this.add(rows)
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
