import { deep } from '@gatehouse/test/rounds.ts'
import { describe, expect, test } from 'vitest'
import { RESTORE_INVARIANTS } from '../invariants.ts'
import { testDrill } from '../test-drill.ts'
import { runRestoreDrill } from './restore-drill.ts'

const SECONDS = 20

/* Only in `npm run test:deep`: the system starts twice. `npm test` tries what finds losses in undoing.test.ts. */
describe('after a backup that was taken under load, the end of everything, and the restore', deep, () => {
  const result = testDrill(`--restore --seconds ${SECONDS}`, RESTORE_INVARIANTS, (options) =>
    runRestoreDrill({ ...options, seconds: SECONDS }),
  )

  test('of each kind something was taken back, and something was there', () => {
    const { record } = result()
    for (const count of Object.values(record.undone)) expect(count).toBeGreaterThan(0)
    expect(record.again.scans).toBeGreaterThan(0)
    expect(record.scans.filter(({ answers }) => answers.length > 0).length).toBeGreaterThan(100)
    expect(record.accepted).toBeGreaterThan(0)
  })
})
