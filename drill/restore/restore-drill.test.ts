import { deep, seed } from '@gatehouse/test/rounds.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Invariant, RESTORE_INVARIANTS } from '../invariants.ts'
import { violationsOf } from '../report.ts'
import { type RestoreOutcome, runRestoreDrill } from './restore-drill.ts'
import { restoreReportOf } from './restore-report.ts'

const SECONDS = 20
/** The machine of the tests may be slow, and busy with others. */
const SLACK = 10

/* Only in `npm run test:deep`: the system starts twice. `npm test` tries what finds losses in undoing.test.ts. */
describe('after a backup which was taken under load, the end of everything, and the restore', deep, () => {
  const again = `npm run drill -- --restore --seconds ${SECONDS} --seed ${seed}`
  let outcome: RestoreOutcome

  beforeAll(async () => {
    const told: string[] = []
    console.log(`${again}\n`)
    const ended = await runRestoreDrill({
      seconds: SECONDS,
      seed,
      slack: SLACK,
      say: (line) => told.push(line),
    }).finally(() => console.log(told.join('\n')))
    outcome = ended as RestoreOutcome
    console.log(restoreReportOf(outcome).join('\n'))
  })

  test.each(Object.entries(RESTORE_INVARIANTS) as [Invariant, string][])('%s: %s', (promised) => {
    expect(violationsOf(outcome.record, promised), again).toEqual([])
  })

  test('of each kind something was taken back, and something was there', () => {
    const { record, undone, again } = outcome
    expect(undone?.scans.length).toBeGreaterThan(0)
    expect(undone?.collected).toBeGreaterThan(0)
    expect(undone?.invitations).toBeGreaterThan(0)
    expect(again?.scans).toBeGreaterThan(0)
    expect(record.scans.filter(({ answers }) => answers.length > 0).length).toBeGreaterThan(100)
    expect(record.accepted).toBeGreaterThan(0)
  })
})
