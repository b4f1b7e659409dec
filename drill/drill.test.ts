import { isDeep, rounds } from '@gatehouse/test/rounds.ts'
import { describe, expect, test } from 'vitest'
import { KINDS } from './door-faults.ts'
import { runDrill } from './drill.ts'
import { INVARIANTS } from './invariants.ts'
import { reportOf } from './report.ts'
import { testDrill } from './test-drill.ts'

const SECONDS = rounds(10, 300)
const SCANNERS = rounds(8, 28)
/** Kinds of changes: of a link, a limit, a category, a privilege, a guest, made or deleted. */
const CHANGES = 7
/** Of each kind of load there is more than this, on a busy machine too. */
const FEW = rounds(2, 20)

describe('while its processes are killed, paused and starved one at a time', () => {
  const outcome = testDrill(
    `--seconds ${SECONDS} --scanners ${SCANNERS}`,
    INVARIANTS,
    (options) => runDrill({ ...options, seconds: SECONDS, scanners: SCANNERS, wholeRound: isDeep }),
    reportOf,
  )

  test('faults were injected, in a deep run of each kind, and the door measured without Redis', () => {
    const { faults, rates } = outcome().record
    expect(new Set(faults.map(({ what }) => what)).size).toBeGreaterThanOrEqual(rounds(1, KINDS))
    expect(rates.length).toBeGreaterThanOrEqual(rounds(0, 1))
  })

  test('the load had each status, retries, batches, deletions, and each kind of change', () => {
    const { scans, changes } = outcome().record
    const statuses = new Set(scans.flatMap(({ answers }) => answers.map(({ status }) => status)))
    expect([...statuses].sort()).toEqual([0, 1, 2, 3])
    expect(new Set(scans.map(({ how }) => how)).size).toBe(3)
    expect(scans.filter(({ sent }) => sent.length > 1).length).toBeGreaterThan(FEW)
    expect(scans.filter(({ answers }) => answers.length > 1).length).toBeGreaterThan(FEW)
    expect(scans.filter(({ deletion }) => deletion).length).toBeGreaterThan(rounds(0, FEW))
    expect(changes.size).toBeGreaterThanOrEqual(rounds(4, CHANGES))
  })
})
