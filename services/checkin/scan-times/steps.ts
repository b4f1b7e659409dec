/*
 * Times are counted in steps, so that what is kept of a minute has the same size however many scans it has, and counts of several
 * processes can be added up.
 */

/** The ends of the steps, in ms: a time belongs to the first that it does not exceed. What takes longer than all is counted at its worst. */
const STEPS = [
  ...[10, 15, 20, 30, 40, 50, 60, 80, 100, 125, 150, 200, 250, 300, 400, 500, 600, 800, 1_000],
  ...[1_250, 1_500, 2_000, 2_500, 3_000, 4_000, 5_000, 6_000, 8_000, 10_000, 15_000, 20_000, 30_000, 60_000],
]

/** What takes longer is slow: those who wait notice. It is the end of a step, so that slow scans are counted exactly. */
export const SLOW_MS = 1_000

/** Returns the number of the step of a time. */
export function stepOf(ms: number): number {
  const step = STEPS.findIndex((end) => ms <= end)
  return step < 0 ? STEPS.length : step
}

/** Times as counted in steps. */
export class StepCounts {
  readonly #counts = new Map<number, number>()
  #worst = 0

  add(step: number, count: number): void {
    this.#counts.set(step, (this.#counts.get(step) ?? 0) + count)
  }

  addWorst(ms: number): void {
    this.#worst = Math.max(this.#worst, ms)
  }

  /** Returns how many there are, and how long the middle one, that of 95 in a hundred and the longest took; null without any. */
  figures() {
    const slow = stepOf(SLOW_MS)
    const steps = [...this.#counts].toSorted(([one], [other]) => one - other)
    const scan_count = sumOf(steps)
    const reaching = (share: number): number | null => {
      let counted = 0
      for (const [step, count] of steps) {
        counted += count
        if (counted >= share * scan_count) return Math.min(STEPS[step] ?? this.#worst, this.#worst)
      }
      return null
    }
    return {
      scan_count,
      median_ms: reaching(0.5),
      p95_ms: reaching(0.95),
      worst_ms: scan_count > 0 ? this.#worst : null,
      slow_count: sumOf(steps.filter(([step]) => step > slow)),
    }
  }
}

function sumOf(steps: readonly (readonly [number, number])[]): number {
  return steps.reduce((sum, [, count]) => sum + count, 0)
}
