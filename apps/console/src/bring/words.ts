import type { Cause, Problem } from '@gatehouse/imports/problem.ts'
import { errorWords, labelled } from '../form/error-words.ts'
import { type ConsoleSay, named } from '../texts/words.ts'
import type { Outcome } from './files.ts'

/** Why rows stay out, and the text that says so. */
const LEFT_OUT: Record<string, Parameters<ConsoleSay>[0]> = {
  cancelled: 'bring_left_cancelled',
  blocked: 'bring_left_blocked',
  unpaid: 'bring_left_unpaid',
  'of other kinds': 'bring_left_other',
  refused: 'bring_left_refused',
  exits: 'bring_left_exits',
}

/** Says what would come of a file, or came, in lines. */
export function outcomeWords(say: ConsoleSay, outcome: Outcome, isPlan: boolean): string[] {
  const { imported, alreadyThere, leftOut, bad, counts } = outcome
  const said = (key: Parameters<ConsoleSay>[0], count = 0): string[] => (count > 0 ? [say(key, { count })] : [])
  return [
    say(isPlan ? 'bring_new' : 'bring_imported', { count: imported }),
    ...said('bring_there', alreadyThere),
    ...said('bring_new_check_ins', counts?.checkIns),
    ...said('bring_there_check_ins', counts?.checkInsThere),
    ...[...leftOut].flatMap(([reason, count]) => (LEFT_OUT[reason] ? said(LEFT_OUT[reason], count) : [])),
    ...said('bring_cannot', bad.length),
    ...said('bring_lacking_time', counts?.lackingTime),
    ...said('bring_codeless', counts?.codeless),
    ...said('bring_without_rights', counts?.withoutRights),
  ]
}

/** What columns are that have the words of something else. */
const LIKE: Record<string, Parameters<ConsoleSay>[0]> = {
  '-': 'import_leave_out',
  category: 'field_guest_category_id',
  point: 'field_accesspoint_id',
}

/** Says what a column may be. */
export function targetWords(say: ConsoleSay, target: string): string {
  const key = `column_${target}`
  return say.knows(key) ? say(key) : LIKE[target] ? say(LIKE[target]) : named(say, 'field', target)
}

/** Says the problem of a row in the language of the console. */
export function problemWords(say: ConsoleSay, problem: Problem): string {
  return typeof problem === 'string' ? problem : problem.map((cause) => causeWords(say, cause)).join(' ')
}

function causeWords(say: ConsoleSay, { field, column, message }: Cause): string {
  if (field !== undefined && field !== 'row') return labelled(say, field, [message])
  return column === undefined ? errorWords(say, message) : `${column}: ${errorWords(say, message)}`
}
