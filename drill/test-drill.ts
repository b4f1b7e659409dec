import { seed } from '@gatehouse/test/rounds.ts'
import { beforeAll, expect, test } from 'vitest'
import type { Invariant, Invariants } from './invariants.ts'
import { reportOf, violationsOf } from './report.ts'
import type { DrillResult, RunOptions } from './running.ts'

/** Longer than the deadlines of all phases together, which say what they waited for. */
const MAX_MS = 3_000_000
/** The machine of the tests may be slow, and busy with others; `npm run drill` on a quiet one holds the system to what is promised. */
const SLACK = 10

/**
 * Runs a drill before the tests of its `describe`, of which each invariant is one; returns its result to the others. Prints its report, and the
 * command that repeats it: `npm run drill --` with these `options`.
 */
export function testDrill(
  options: string,
  invariants: Invariants,
  run: (options: RunOptions) => Promise<DrillResult | undefined>,
): () => DrillResult {
  const again = `npm run drill -- ${options} --seed ${seed}`
  let result: DrillResult

  beforeAll(async () => {
    const told: string[] = []
    console.log(`${again}\n`)
    const ended = await run({ seed, slack: SLACK, say: (line) => told.push(line) }).finally(() =>
      console.log(told.join('\n')),
    )
    result = ended as DrillResult
    console.log(reportOf(result).join('\n'))
  }, MAX_MS)

  test.each(Object.entries(invariants) as [Invariant, string][])('%s: %s', (promised) => {
    expect(violationsOf(result.record, promised), again).toEqual([])
  })
  return () => result
}
