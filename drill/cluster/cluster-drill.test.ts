import { deep } from '@gatehouse/test/rounds.ts'
import { describe, expect, test } from 'vitest'
import { runDrill } from '../drill.ts'
import { CLUSTER_INVARIANTS } from '../invariants.ts'
import { testDrill } from '../test-drill.ts'

const SECONDS = 120

/*
 * Only in `npm run test:deep`: twenty processes and three NATS servers take most of a minute even for a short round. What it is about, a change
 * that overtakes its announcement, `npm test` checks in services/checkin/door/lost-announcements.test.ts.
 */
describe('on a cluster of NATS servers, while its processes and servers are killed and paused', deep, () => {
  const outcome = testDrill(`--cluster --seconds ${SECONDS}`, CLUSTER_INVARIANTS, (options) =>
    runDrill({ ...options, seconds: SECONDS, cluster: true }),
  )

  test('servers of NATS were killed and paused, and rights were changed', () => {
    const { faults, changes } = outcome().record
    const ofServers = faults.map(({ what }) => what.replace(/-\d$/, ''))
    expect(ofServers).toEqual(expect.arrayContaining(['kill nats', 'pause nats']))
    expect(changes.size).toBeGreaterThanOrEqual(4)
  })

  test('recipients were invited, some accepted, and partners were stopped', () => {
    const { accepted, acceptances, halts } = outcome().record
    expect(accepted).toBeGreaterThan(100)
    expect(acceptances.size).toBeGreaterThan(5)
    expect(halts.length).toBeGreaterThan(0)
  })
})
