import { ALL_INVARIANTS, type Invariant } from './invariants.ts'
import type { DrillRecord } from './record.ts'
import type { DrillResult } from './running.ts'

/** The report of a drill, in lines. */
export function reportOf({ record, invariants, compared, details }: DrillResult): string[] {
  const statuses = [...record.statuses].sort().map(([status, count]) => `${status || 'closed'}: ${count}`)
  const changes = [...record.changes].sort().map(([kind, count]) => `${kind}: ${count}`)
  const broken = (Object.keys(invariants) as Invariant[]).flatMap((invariant) => violationsOf(record, invariant))
  return [
    ...compared.map((what) => `compared: ${what}`),
    `answers by status: ${statuses.join(', ')}; the slowest took ${Math.round(record.slowest)} ms`,
    ...(changes.length > 0 ? [`changes: ${changes.join(', ')}`] : []),
    ...(['keyed', 'batch'] as const).flatMap((how) => waitsOf(record, how)),
    ...details,
    `faults: ${record.faults.length}`,
    ...(broken.length > 0 ? broken : ['no violations']),
  ]
}

/** The violations of an invariant: each kind, with its first histories. */
export function violationsOf(record: DrillRecord, invariant: Invariant): string[] {
  const violations = record.violations.filter((each) => each.invariant === invariant)
  if (violations.length === 0) return []
  return [
    `BROKEN: ${ALL_INVARIANTS[invariant]}`,
    ...violations.flatMap(({ kind, count, histories }) => [
      `VIOLATION: ${kind} (${count} times)`,
      ...histories.flatMap((history) => history.map((line, index) => `${index === 0 ? '  - ' : '      '}${line}`)),
    ]),
  ]
}

/** How long retrying devices waited for an answer. */
function waitsOf({ scans }: DrillRecord, how: 'keyed' | 'batch'): string[] {
  const retried = scans.filter((scan) => scan.how === how)
  if (retried.length === 0) return []
  const unanswered = retried.filter(({ answers }) => answers.length === 0).length
  const waits = retried.map(({ sent, answers }) => (answers[0]?.at ?? 0) - (sent[0] ?? 0))
  const longest = Math.round(waits.reduce((most, wait) => Math.max(most, wait), 0))
  return [`${how} scans: ${retried.length}, the longest wait ${longest} ms over all tries; ${unanswered} gave up`]
}
