import { deep } from '@gatehouse/test/rounds.ts'
import { describe, expect, test } from 'vitest'
import { MAIL_INVARIANTS } from '../invariants.ts'
import { testDrill } from '../test-drill.ts'
import { runMailDrill } from './mail-drill.ts'

// Takes half a minute or more: a system starts, and each fault lasts for seconds.

const RECIPIENTS = 20_000
const HARMS = 30

describe(
  'while processes and stores are killed and paused, and the mail server refuses, delays and drops',
  deep,
  () => {
    const outcome = testDrill(`--mail --recipients ${RECIPIENTS} --harms ${HARMS}`, MAIL_INVARIANTS, (options) =>
      runMailDrill({ ...options, recipients: RECIPIENTS, harms: HARMS }),
    )

    test('faults were injected, and partners were stopped, recipients blocked, refused and beyond a quota', () => {
      const { record } = outcome()
      const { invitations } = record
      expect(record.faults.length).toBeGreaterThanOrEqual(HARMS)
      expect(record.halts.length + record.stops.length).toBeGreaterThan(0)
      expect(invitations.nb_recipients).toBeGreaterThanOrEqual(RECIPIENTS)
      expect(invitations.nb_email_sent).toBeGreaterThan(RECIPIENTS / 2)
      expect(invitations.rejected_recipients).toBeGreaterThan(0)
      const beyond = [...record.answers.values()].flatMap((answers) =>
        [...answers.values()].filter((id) => id === null),
      )
      expect(beyond.length).toBeGreaterThan(0)
      expect(record.batches).toBeGreaterThan(20)
    })
  },
)
