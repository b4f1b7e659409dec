import { RESTORE_INVARIANTS } from '../invariants.ts'
import { answersOf, verdictOf } from '../report.ts'
import type { RestoreOutcome } from './restore-drill.ts'

/** The report of a drill that restores a backup, in lines. */
export function restoreReportOf(outcome: RestoreOutcome): string[] {
  return [...answersOf(outcome), ...restoredOf(outcome), ...verdictOf(outcome.record, RESTORE_INVARIANTS)]
}

function restoredOf({ moments, undone, again }: RestoreOutcome): string[] {
  if (!moments || !undone || !again) return []
  const { begun, dying } = moments
  const { scans, collected, invitations, moment } = undone
  const since = (at: number): string => `${((at - begun) / 1_000).toFixed(1)} s`
  return [
    `the backup has what was there ${since(moment)} after its beginning, and everything was destroyed after ${since(dying)}`,
    `taken back: ${scans.length} answered scans, ${collected} leads and signatures, ${invitations} invitations`,
    `again: ${again.scans} scans by their devices, ${again.mails} e-mails, ${again.deliveries} deliveries to the webhook`,
  ]
}
