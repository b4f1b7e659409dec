import { Message, messageOf } from '@gatehouse/proto/declaring/messages.ts'
import { foldColumnName } from '@gatehouse/proto/formats/lists/column-names.ts'
import { rowErrors } from '@gatehouse/proto/formats/lists/list.ts'
import type { ListRow } from '@gatehouse/proto/formats/lists/rows.ts'
import type { ListForm } from '@gatehouse/proto/formats/lists/settings.ts'
import { oneLine } from '@gatehouse/proto/formats/lists/values.ts'
import { type Cause, causeOf, causesOf } from '../problem.ts'
import type { Person } from '../system.ts'
import type { CheckInColumn, CheckInField } from './columns.ts'
import { type Moment, readMoment, type TimeRules } from './moments.ts'
import type { Point, Points } from './points.ts'

/** What a row says: who came when and where. */
export interface Attendance extends Moment {
  code?: string | undefined
  person: Person
  point: Point
  persons?: number | undefined
}

/** A row as read: an attendance, why it is none, or why it does not belong here. */
export type ReadRow = { attendance: Attendance } | { problem: Cause[] } | { leftOut: string }

/** What rows do not say themselves. */
export interface RowDefaults {
  rules: TimeRules
  points: Points
  /** The point of rows that name none. */
  point?: Point | undefined
  /** The time of rows that have none. */
  at?: Date | undefined
}

/** Words for a scan that let somebody in; an export of Gatehouse has `0`. */
const LET_IN = new Set(
  '0 ok yes y ja x true granted valid gultig checkedin attended attending present anwesend gekommen eingecheckt'.split(
    ' ',
  ),
)
const OUT = new Set('out exit aus ausgang austritt'.split(' '))
const MAX_PERSONS = 500

/** Reads a row of check-ins. */
export function readAttendance(
  row: ListRow,
  columns: readonly CheckInColumn[],
  form: Pick<ListForm, 'headers'>,
  defaults: RowDefaults,
): ReadRow {
  const errors = rowErrors(row, form)
  if (errors) return { problem: causesOf(errors) }
  const said = valuesOf(row, columns)
  if (said.result && !LET_IN.has(foldColumnName(said.result))) return { leftOut: 'refused' }
  const isOut = OUT.has(foldColumnName(said.direction ?? ''))
  const problems: Cause[] = []
  const point = pointOf(said.point, defaults, problems)
  if (isOut && point && point.direction !== 'out') return { leftOut: 'exits' }
  const headerOf = (field: CheckInField) =>
    form.headers[columns.findIndex((column) => 'field' in column && column.field === field)] || field
  const moment = momentOf(said, defaults, problems, headerOf)
  const persons = personsOf(said.persons, problems, headerOf)
  const person = { email: said.email, name: nameOf(said) }
  if (!said.code && !person.email && !person.name) problems.push(causeOf('not_identified'))
  if (problems.length > 0 || !point || !moment) return { problem: problems }
  return { attendance: { code: said.code, person, point, persons, ...moment } }
}

function valuesOf({ cells }: ListRow, columns: readonly CheckInColumn[]): Partial<Record<CheckInField, string>> {
  const said: Partial<Record<CheckInField, string>> = {}
  for (const [index, column] of columns.entries()) {
    const value = cells[index] ?? ''
    if (value !== '' && 'field' in column) said[column.field] = column.field === 'code' ? value : oneLine(value)
  }
  return said
}

function nameOf({ first_name, last_name, full_name }: Partial<Record<CheckInField, string>>): string | undefined {
  return [first_name, last_name ?? full_name].filter(Boolean).join(' ') || undefined
}

function pointOf(name: string | undefined, { points, point }: RowDefaults, problems: Cause[]): Point | undefined {
  if (name === undefined) {
    if (!point) problems.push(causeOf('point_not_given'))
    return point
  }
  const found = points.named(name)
  if ('value' in found) return found.value
  problems.push({ message: found.problem })
  return undefined
}

/** A date and a time may have a column each. */
function momentOf(
  { date, time }: Partial<Record<CheckInField, string>>,
  { rules, at }: RowDefaults,
  problems: Cause[],
  headerOf: (field: CheckInField) => string,
): Moment | undefined {
  const said = [date, time].filter(Boolean).join(' ')
  if (said === '') {
    if (!at) problems.push(causeOf('time_not_given'))
    return at && { at, isMinute: false }
  }
  const moment = readMoment(said, rules)
  if (!(moment instanceof Message)) return moment
  problems.push({ column: headerOf(time === undefined ? 'date' : 'time'), message: moment })
  return undefined
}

function personsOf(
  text: string | undefined,
  problems: Cause[],
  headerOf: (field: CheckInField) => string,
): number | undefined {
  if (text === undefined) return undefined
  const persons = Number(text)
  if (Number.isInteger(persons) && persons >= 1 && persons <= MAX_PERSONS) return persons
  problems.push({
    column: headerOf('persons'),
    message: messageOf('not_between', { text, least: 1, most: MAX_PERSONS }),
  })
  return undefined
}
