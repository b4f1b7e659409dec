import { MAIL_INVARIANTS } from '../invariants.ts'
import { answersOf, verdictOf } from '../report.ts'
import type { MailOutcome } from './mail-drill.ts'

/** The report of a drill with e-mails, in lines. */
export function mailReportOf(outcome: MailOutcome): string[] {
  const { record, rate, recount } = outcome
  const numbers = Object.entries(recount?.total ?? {}).map(([name, value]) => `${name} ${value}`)
  return [
    ...answersOf(outcome),
    `batches: ${record.batches}, and ${record.repeats} repeats of them; ${Math.round(rate)} e-mails/s, faults included`,
    ...(numbers.length > 0 ? [`invitations: ${numbers.join(', ')}`] : []),
    ...verdictOf(record, MAIL_INVARIANTS),
  ]
}
