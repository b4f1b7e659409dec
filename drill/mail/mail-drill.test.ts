import { rounds, seed } from '@gatehouse/test/rounds.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Invariant, MAIL_INVARIANTS } from '../invariants.ts'
import { violationsOf } from '../report.ts'
import { type MailOutcome, runMailDrill } from './mail-drill.ts'
import { mailReportOf } from './mail-report.ts'

// Takes half a minute or more: a system starts, and each fault lasts for seconds.

const RECIPIENTS = rounds(300, 20_000)
const HARMS = rounds(2, 30)
/** Longer than the deadlines of all phases together, which say what they waited for. */
const MAX_MS = 3_000_000
/** The machine of the tests may be slow, and busy with others; `npm run drill` on a quiet one holds the system to what is promised. */
const SLACK = 10

describe('while processes and stores are killed and paused, and the mail server refuses, delays and drops', () => {
  const again = `npm run drill -- --mail --recipients ${RECIPIENTS} --harms ${HARMS} --seed ${seed}`
  let outcome: MailOutcome

  beforeAll(async () => {
    const told: string[] = []
    console.log(`${again}\n`)
    const ended = await runMailDrill({
      recipients: RECIPIENTS,
      harms: HARMS,
      seed,
      slack: SLACK,
      say: (line) => told.push(line),
    }).finally(() => console.log(told.join('\n')))
    outcome = ended as MailOutcome
    console.log(mailReportOf(outcome).join('\n'))
  }, MAX_MS)

  test.each(Object.entries(MAIL_INVARIANTS) as [Invariant, string][])('%s: %s', (promised) => {
    expect(violationsOf(outcome.record, promised), again).toEqual([])
  })

  test('faults were injected, and partners were stopped, recipients blocked, refused and beyond a quota', () => {
    const { record, recount } = outcome
    expect(record.faults.length).toBeGreaterThanOrEqual(HARMS)
    expect(record.halts.length + record.stops.length).toBeGreaterThan(0)
    expect(recount?.total.nb_recipients).toBeGreaterThanOrEqual(RECIPIENTS)
    expect(recount?.total.nb_email_sent).toBeGreaterThan(RECIPIENTS / 2)
    expect(recount?.total.rejected_recipients).toBeGreaterThan(0)
    const beyond = [...record.answers.values()].flatMap((answers) => [...answers.values()].filter((id) => id === null))
    expect(beyond.length).toBeGreaterThan(0)
    expect(record.batches).toBeGreaterThan(20)
  })
})
