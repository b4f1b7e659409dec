import { deep } from '@gatehouse/test/rounds.ts'
import { describe, expect, test } from 'vitest'
import { SCANNER_INVARIANTS } from '../invariants.ts'
import { testDrill } from '../test-drill.ts'
import { runScannerDrill } from './scanner-drill.ts'

const SECONDS = 180

/*
 * Only in `npm run test:deep`: the system and browsers of a short round take 40 s of CPU time. `npm test` checks what compares the answers in
 * scanner-comparing.test.ts, and what a scanner does without a network in apps/scanner/test/without-network.test.ts.
 */
describe('scanners in browsers on bad networks, while processes and tabs are killed', deep, () => {
  const outcome = testDrill(`--scanner --seconds ${SECONDS}`, SCANNER_INVARIANTS, (options) =>
    runScannerDrill({ ...options, seconds: SECONDS }),
  )

  test('answers came from server and devices, by typing and by camera; tabs were killed, networks cut, and devices differed from the server', () => {
    const { record } = outcome()
    const first = record.attempts.map(({ shown }) => shown[0]?.by)
    expect(new Set(first)).toEqual(new Set(['server', 'device', 'question', undefined]))
    const answered = record.attempts.filter((attempt) => attempt.answered)
    expect(new Set(answered.map(({ how }) => how))).toEqual(new Set(['typed', 'camera', 'answered', 'walk-in']))
    expect(record.attempts.filter(({ undo }) => undo === 'done').length).toBeGreaterThan(5)
    expect(record.kills.reduce((sum, each) => sum + each, 0)).toBeGreaterThan(5)
    expect(record.weather.every(({ lost, cuts }) => lost > 0 && cuts > 0)).toBe(true)
    expect(record.endings.some(({ differences }) => differences.length > 0)).toBe(true)
    expect(record.faults.length).toBeGreaterThan(5)
  })
})
