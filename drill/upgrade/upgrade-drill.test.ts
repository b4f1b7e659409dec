import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { deep } from '@gatehouse/test/rounds.ts'
import { describe, expect, test } from 'vitest'
import { runDrill } from '../drill.ts'
import { UPGRADE_INVARIANTS } from '../invariants.ts'
import { testDrill } from '../test-drill.ts'

const SECONDS = 30

/*
 * Only in `npm run test:deep`: it starts eighty processes. `npm test` checks what it is about in proto/storage/migrations/migrations.test.ts and
 * services/guests/guests/search-migration.test.ts.
 */
test('the next version of a drill has a further field of guests, and searches one more', () => {
  const program =
    "const { plainFields, searchedFields } = await import('../../services/guests/guests/resource.ts'); console.log('seat' in plainFields, searchedFields.includes('message'))"
  const args = ['--import', join(import.meta.dirname, 'next-version.ts'), '--input-type=module', '--eval', program]
  expect(execFileSync(process.execPath, args, { cwd: import.meta.dirname, encoding: 'utf8' })).toBe('true true\n')
})

describe('while all processes are replaced by another version, one by one and all at once', deep, () => {
  const outcome = testDrill(`--upgrade --seconds ${SECONDS}`, UPGRADE_INVARIANTS, (options) =>
    runDrill({ ...options, seconds: SECONDS, upgrades: true }),
  )

  test('rights were changed, and what was answered 503 was few', () => {
    const { changes, statuses } = outcome().record
    expect(changes.size).toBeGreaterThanOrEqual(4)
    expect(statuses.get(503) ?? 0).toBeLessThan((statuses.get(201) ?? 0) / 20)
  })

  test('recipients were invited, some accepted, and partners were stopped', () => {
    const { accepted, acceptances, halts } = outcome().record
    expect(accepted).toBeGreaterThan(100)
    expect(acceptances.size).toBeGreaterThan(5)
    expect(halts.length).toBeGreaterThan(0)
  })
})
