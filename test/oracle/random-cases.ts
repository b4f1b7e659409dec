import fc from 'fast-check'
import { seed } from '../rounds.ts'

/** How long a failing case is shrunk, in ms: each attempt may create an event. */
const SHRINK_MS = 20_000
/** How long cases are tried, in ms. */
const MAX_MS = 120_000

/** An arbitrary of plain objects, as which its values are printed. */
export function record<T>(fields: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<T> {
  return fc.record(fields, { noNullPrototype: true })
}

/** Tries random cases. `TEST_PATH`, which a failure prints as `path`, tries one alone. */
export async function assertAll<T>(
  cases: fc.Arbitrary<T>,
  runs: number,
  attempt: (one: T) => Promise<void>,
): Promise<void> {
  const path = process.env.TEST_PATH
  // By a clock that no test sets.
  let until = performance.now() + MAX_MS
  await fc.assert(
    fc.asyncProperty(cases, async (one) => {
      // Then the other cases are not tried, and one that failed is not shrunk further.
      if (performance.now() > until) return
      try {
        await attempt(one)
      } catch (error) {
        until = Math.min(until, performance.now() + SHRINK_MS)
        throw error
      }
    }),
    { numRuns: runs, seed, ...(path && { path, endOnFailure: true }) },
  )
}
