import { ALL_INVARIANTS, type Invariant, UPGRADE_INVARIANTS } from './invariants.ts'
import type { Record } from './record.ts'
import type { DrillResult } from './running.ts'

/** The report of a drill at the doors, in lines. */
export function reportOf({ record, compared }: DrillResult): string[] {
  const changes = [...record.changes].sort().map(([kind, count]) => `${kind}: ${count}`)
  return [
    ...answersOf({ record, compared }),
    `changes: ${changes.join(', ')}`,
    waitsOf(record, 'keyed'),
    waitsOf(record, 'batch'),
    ...verdictOf(record, UPGRADE_INVARIANTS),
  ]
}

/** What was compared, and how requests were answered. */
export function answersOf({ record, compared }: DrillResult): string[] {
  const statuses = [...record.statuses].sort().map(([status, count]) => `${status || 'closed'}: ${count}`)
  return [
    ...compared.map((what) => `compared: ${what}`),
    `answers by status: ${statuses.join(', ')}; the slowest took ${Math.round(record.slowest)} ms`,
  ]
}

/** The number of faults, and the violations of these invariants. */
export function verdictOf(record: Record, invariants: object): string[] {
  const broken = (Object.keys(invariants) as Invariant[]).flatMap((invariant) => violationsOf(record, invariant))
  return [`faults: ${record.faults.length}`, ...(broken.length > 0 ? broken : ['no violations'])]
}

/** The violations of an invariant: each kind, with its first histories. */
export function violationsOf(record: Record, invariant: Invariant): string[] {
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
function waitsOf({ scans }: Record, how: 'keyed' | 'batch'): string {
  const insisted = scans.filter((scan) => scan.how === how)
  const unanswered = insisted.filter(({ answers }) => answers.length === 0).length
  const longest = insisted.reduce(
    (most, { sent, answers }) => Math.max(most, (answers[0]?.at ?? 0) - (sent[0] ?? 0)),
    0,
  )
  return `${how} scans: ${insisted.length}, the longest wait ${Math.round(longest)} ms over all tries; ${unanswered} gave up`
}
