import { isDeep, rounds, seed } from '@gatehouse/test/rounds.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { KINDS } from './door-faults.ts'
import { runDrill } from './drill.ts'
import { INVARIANTS, type Invariant } from './invariants.ts'
import { reportOf, violationsOf } from './report.ts'
import type { Outcome } from './running.ts'

const SECONDS = rounds(15, 300)
/** Kinds of changes: of a link, a limit, a category, a privilege, a guest, made or deleted. */
const CHANGES = 7
/** Of each kind of load there is more than this, on a busy machine too. */
const FEW = rounds(5, 20)
/** Longer than the deadlines of all phases together, which say what they waited for. */
const MAX_MS = 3_000_000
/** The machine of the tests may be slow, and busy with others; `npm run drill` on a quiet one holds the system to what is promised. */
const SLACK = 10

describe('while its processes are killed, paused and starved one at a time', () => {
  const again = `npm run drill -- --seconds ${SECONDS} --seed ${seed}`
  let outcome: Outcome

  beforeAll(async () => {
    const told: string[] = []
    console.log(`${again}\n`)
    const ended = await runDrill({
      seconds: SECONDS,
      seed,
      wholeRound: isDeep,
      slack: SLACK,
      say: (line) => told.push(line),
    }).finally(() => console.log(told.join('\n')))
    outcome = ended as Outcome
    console.log(reportOf(outcome).join('\n'))
  }, MAX_MS)

  test.each(Object.entries(INVARIANTS) as [Invariant, string][])('%s: %s', (promised) => {
    expect(violationsOf(outcome.record, promised), again).toEqual([])
  })

  test('faults were injected, in a deep run of each kind, and the door measured without Redis', () => {
    const { faults, rates } = outcome.record
    expect(new Set(faults.map(({ what }) => what)).size).toBeGreaterThanOrEqual(rounds(2, KINDS))
    expect(rates.length).toBeGreaterThanOrEqual(rounds(0, 1))
  })

  test('the load had each status, retries, batches, deletions, and each kind of change', () => {
    const { scans, changes } = outcome.record
    const statuses = new Set(scans.flatMap(({ answers }) => answers.map(({ status }) => status)))
    expect([...statuses].sort()).toEqual([0, 1, 2, 3])
    expect(new Set(scans.map(({ how }) => how)).size).toBe(3)
    expect(scans.filter(({ sent }) => sent.length > 1).length).toBeGreaterThan(FEW)
    expect(scans.filter(({ answers }) => answers.length > 1).length).toBeGreaterThan(FEW)
    expect(scans.filter(({ deletion }) => deletion).length).toBeGreaterThan(FEW)
    expect(changes.size).toBeGreaterThanOrEqual(rounds(4, CHANGES))
  })
})
