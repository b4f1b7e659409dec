import { isDeep, seed } from '@gatehouse/test/rounds.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { runDrill } from '../drill.ts'
import { CLUSTER_INVARIANTS, type Invariant } from '../invariants.ts'
import { reportOf, violationsOf } from '../report.ts'
import type { Outcome } from '../running.ts'

const SECONDS = 120
/** Longer than the deadlines of all phases together, which say what they waited for. */
const MAX_MS = 3_000_000
/** The machine of the tests may be slow, and busy with others. */
const SLACK = 10

/*
 * Only in `npm run test:deep`: ten processes and three NATS servers take most of a minute even for a short round. What it is about, a change
 * which overtakes its announcement, `npm test` checks in services/checkin/door/lost-announcements.test.ts.
 */
describe.skipIf(!isDeep)('on a cluster of NATS servers, while its processes and servers are killed and paused', () => {
  const again = `npm run drill -- --cluster --seconds ${SECONDS} --seed ${seed}`
  let outcome: Outcome

  beforeAll(async () => {
    const told: string[] = []
    console.log(`${again}\n`)
    const ended = await runDrill({
      seconds: SECONDS,
      seed,
      cluster: true,
      slack: SLACK,
      say: (line) => told.push(line),
    }).finally(() => console.log(told.join('\n')))
    outcome = ended as Outcome
    console.log(reportOf(outcome).join('\n'))
  }, MAX_MS)

  test.each(Object.entries(CLUSTER_INVARIANTS) as [Invariant, string][])('%s: %s', (promised) => {
    expect(violationsOf(outcome.record, promised), again).toEqual([])
  })

  test('servers of NATS were among what was killed and paused, and rights were changed', () => {
    const { faults, changes } = outcome.record
    expect(faults.filter(({ name }) => name.startsWith('nats-')).length).toBeGreaterThan(0)
    expect(changes.size).toBeGreaterThanOrEqual(4)
  })
})
