import { columnMeanings, personColumnNames } from '@gatehouse/proto/formats/lists/column-names.ts'
import { guestColumnNames } from '@gatehouse/proto/formats/lists/guest-column-names.ts'
import type { ListForm } from '@gatehouse/proto/formats/lists/settings.ts'
import { chosenColumns } from '../chosen-columns.ts'

/** What a column of check-ins may be. */
const fields = [
  'code',
  'email',
  'first_name',
  'last_name',
  'full_name',
  'time',
  'date',
  'point',
  'persons',
  'direction',
  'result',
] as const
export type CheckInField = (typeof fields)[number]
export type CheckInColumn = { field: CheckInField } | { leftOut: true }

/** The targets of columns, for `--map`. */
export const targets: readonly string[] = [...fields, '-']

const { first_name, last_name, full_name, email } = personColumnNames

/** Names of columns in exports of Gatehouse and others, and of lists on paper; `direction` and `result` tell the scans that count. */
const meaningOf = columnMeanings({
  ...{ first_name, last_name, email },
  code: `${guestColumnNames.uid} secret publicid`,
  full_name: `${full_name} name guest attendee gast teilnehmer teilnehmerin`,
  time: `time checkedin checkedinat checkintime checkindate accessstamp timestamp datetime arrival arrivedat scannedat
    uhrzeit zeit zeitpunkt eingecheckt eingechecktam ankunft heure hora ora tijd`,
  date: 'date day datum tag jour fecha data',
  point: `point accesspoint checkinpoint checkinlist checkinliste entrance door gate eingang einlass tur entree entrada ingresso`,
  persons: 'persons people number personen anzahl personnes personas persone pessoas',
  direction: 'direction scantype scantyp scanart richtung',
  result: 'result accessstatus status ergebnis',
  '-': 'accesspointid eventid createdat updatedat',
})

/** Whether a header names something that is known. */
export function isKnown(header: string): boolean {
  return meaningOf(header) !== undefined
}

/** What each column of check-ins holds; of several with one meaning the first. `overrides` are by header, as given with `--map`. */
export function checkInColumns(
  { headers }: Pick<ListForm, 'headers'>,
  overrides: ReadonlyMap<string, string> = new Map(),
): CheckInColumn[] {
  const chosen = chosenColumns(headers, overrides, targets)
  const taken = new Set<string>(chosen.values())
  return headers.map((header, index) => {
    const meaning = chosen.get(index) ?? meaningOf(header)
    const isFree = chosen.has(index) || (meaning !== undefined && !taken.has(meaning))
    if (meaning === undefined || meaning === '-' || !isFree) return { leftOut: true }
    taken.add(meaning)
    return { field: meaning as CheckInField }
  })
}

/** The target of a column, for people. */
export function describeCheckInColumn(column: CheckInColumn): string {
  return 'leftOut' in column ? '(left out)' : column.field
}
