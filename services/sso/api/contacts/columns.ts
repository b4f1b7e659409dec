import { columnMeanings, foldColumnName, personColumnNames } from '@gatehouse/proto/formats/lists/column-names.ts'
import { oneLine } from '@gatehouse/proto/formats/lists/values.ts'

/** The fields of all contacts, as columns of a file; `-` leaves a column out. */
export const targets = [
  'email',
  'first_name',
  'last_name',
  'full_name',
  'last_and_first_name',
  'password',
  'is_blocked',
  '-',
] as const
type ContactTarget = Exclude<(typeof targets)[number], '-'>

/** A contact field of the account, for matching headers. */
export interface KnownField {
  key: string
  label: string | null
}

/** The target of a column; a `contactField` may still have to be created, with the `label`. */
export type ContactColumn = { field: ContactTarget } | { contactField: string; label: string } | { leftOut: true }

/** Names of columns, folded by `foldColumnName`. */
const meaningOf = columnMeanings<(typeof targets)[number]>({
  ...personColumnNames,
  password: 'password motdepasse passwort kennwort contrasena senha palavrapasse',
  is_blocked: 'isblocked blocked',
  // Columns of an exported list that cannot be set.
  '-': `${personColumnNames['-']} haspassword sub`,
})

/**
 * The target of each column. `overrides` are by header, as given with `--map`. The key or label of a contact field means that field. Other
 * headers become new fields if `makes` is set, and are left out otherwise. Throws an error of one sentence for an override without such a
 * column or field.
 */
export function mapColumns(
  headers: string[],
  fields: KnownField[],
  makes: boolean,
  overrides: ReadonlyMap<string, string> = new Map(),
): ContactColumn[] {
  for (const header of overrides.keys()) {
    if (!headers.includes(header)) {
      throw new Error(`--map: the file has no column "${header}". It has: ${headers.join(', ')}`)
    }
  }
  const taken = new Set<string>()
  const take = (header: string, column: ContactColumn, isChosen: boolean): ContactColumn => {
    const name = 'field' in column ? column.field : 'contactField' in column ? column.contactField : undefined
    if (name === undefined) return column
    if (taken.has(name)) {
      if (isChosen) throw new Error(`--map: two columns cannot both be ${name}`)
      return { leftOut: true }
    }
    taken.add(name)
    return { ...column, ...('label' in column && { label: oneLine(column.label || header) }) }
  }
  const chosen = headers.map((header) => {
    const target = overrides.get(header)
    return target === undefined ? undefined : take(header, chosenColumn(target, header, fields, makes), true)
  })
  const own = byHeader(fields)
  return headers.map((header, index) => chosen[index] ?? take(header, guessedColumn(header, own, makes), false))
}

function chosenColumn(target: string, header: string, fields: KnownField[], makes: boolean): ContactColumn {
  if (target === '-') return { leftOut: true }
  const field = targets.find((each) => each === target)
  if (field && field !== '-') return { field }
  if (makes || fields.some(({ key }) => key === target)) return { contactField: target, label: header }
  const known = [...targets, ...fields.map(({ key }) => key)].join(', ')
  throw new Error(`--map: "${target}" is not a field. Fields: ${known} (--create-fields creates others)`)
}

function guessedColumn(header: string, own: ReadonlyMap<string, string>, makes: boolean): ContactColumn {
  const folded = foldColumnName(header)
  if (folded === '') return { leftOut: true }
  const key = own.get(folded)
  if (key !== undefined) return { contactField: key, label: header }
  const field = meaningOf(header)
  if (field === '-') return { leftOut: true }
  if (field) return { field }
  return makes ? { contactField: keyOf(header), label: header } : { leftOut: true }
}

/** Whether a header names a field of contacts. */
export function isKnownIn(fields: readonly KnownField[]): (header: string) => boolean {
  const own = byHeader(fields)
  return (header) => meaningOf(header) !== undefined || own.has(foldColumnName(header))
}

/** The keys of contact fields by folded header; the first field of a header counts. */
function byHeader(fields: readonly KnownField[]): ReadonlyMap<string, string> {
  const keys = new Map<string, string>()
  for (const { key, label } of fields) {
    for (const name of [key, label ?? ''].map(foldColumnName)) if (!keys.has(name)) keys.set(name, key)
  }
  return keys
}

/** A header as the key of a contact field: `Taille (cm)` is `taille_cm`. */
function keyOf(header: string): string {
  const key = header
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
  return (/^[a-z]/.test(key) ? key : `field_${key}`).slice(0, 64)
}

/** A column's target, for people. */
export function describeColumn(column: ContactColumn): string {
  if ('leftOut' in column) return '(left out)'
  return 'field' in column ? column.field : `contact field ${column.contactField}`
}
