import { deep } from '@gatehouse/test/rounds.ts'
import { describe, expect, test } from 'vitest'
import { MAILING_INVARIANTS } from '../invariants.ts'
import { testDrill } from '../test-drill.ts'
import { runMailingDrill } from './mailing-drill.ts'

// Takes minutes: a system starts, and each fault lasts for seconds.

const GUESTS = 10_000
const HARMS = 20

describe('while processes and stores are killed and paused, and a mailing goes to all guests', deep, () => {
  const outcome = testDrill(`--mailing --recipients ${GUESTS} --harms ${HARMS}`, MAILING_INVARIANTS, (options) =>
    runMailingDrill({ ...options, recipients: GUESTS, harms: HARMS }),
  )

  test('faults were injected', () => {
    expect(outcome().record.faults.length).toBeGreaterThanOrEqual(HARMS)
  })
})
