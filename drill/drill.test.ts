import { deep } from '@gatehouse/test/rounds.ts'
import { describe, expect, test } from 'vitest'
import { KINDS } from './door-faults.ts'
import { runDrill } from './drill.ts'
import { INVARIANTS } from './invariants.ts'
import { testDrill } from './test-drill.ts'

const SECONDS = 300
const SCANNERS = 28
/** Kinds of changes: of a link, a limit, a category, a privilege, a guest, made or deleted; entries, exits and walk-ins. */
const CHANGES = 10
/** Of each kind of load there is more than this. */
const FEW = 20

// `npm test` tries what compares (`comparing.test.ts`), and .ci/run drills for a minute.
describe('while its processes are killed, paused and starved one at a time', deep, () => {
  const outcome = testDrill(`--seconds ${SECONDS} --scanners ${SCANNERS}`, INVARIANTS, (options) =>
    runDrill({ ...options, seconds: SECONDS, scanners: SCANNERS, wholeRound: true }),
  )

  test('faults of each kind were injected, and the door measured without Redis', () => {
    const { faults, rates } = outcome().record
    expect(new Set(faults.map(({ what }) => what)).size).toBeGreaterThanOrEqual(KINDS)
    expect(rates.length).toBeGreaterThanOrEqual(1)
  })

  test('the load had each status, retries, batches, deletions, and each kind of change', () => {
    const { scans, changes } = outcome().record
    const statuses = new Set(scans.flatMap(({ answers }) => answers.map(({ status }) => status)))
    expect([...statuses].sort()).toEqual([0, 1, 2, 3])
    expect(new Set(scans.map(({ how }) => how)).size).toBe(3)
    expect(scans.filter(({ sent }) => sent.length > 1).length).toBeGreaterThan(FEW)
    expect(scans.filter(({ answers }) => answers.length > 1).length).toBeGreaterThan(FEW)
    expect(scans.filter(({ deletion }) => deletion).length).toBeGreaterThan(FEW)
    expect(changes.size).toBeGreaterThanOrEqual(CHANGES)
  })
})
