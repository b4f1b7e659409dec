import { columnMeanings, foldColumnName, personColumnNames } from '@gatehouse/proto/formats/column-names.ts'

/** What every contact has, as columns of a file; `-` leaves a column out. */
export const targets = ['email', 'first_name', 'last_name', 'password', 'is_blocked', '-'] as const
type Field = Exclude<(typeof targets)[number], '-'>

/** A contact field of the account, as far as a header can mean it. */
export interface KnownField {
  key: string
  label: string | null
}

/** Where the cells of one column go; `contactField` may still have to be made, under the `label`. */
export type Column = { field: Field } | { contactField: string; label: string } | { leftOut: true }

/** Names that columns go by, as `foldColumnName` leaves them. */
const meanings = columnMeanings<(typeof targets)[number]>({
  ...personColumnNames,
  password: 'password motdepasse passwort kennwort contrasena senha palavrapasse',
  is_blocked: 'isblocked',
  // And what the list of contacts holds and nobody can set.
  '-': `${personColumnNames['-']} haspassword sub`,
})

/**
 * Where each column goes. `overrides` are by header, as given with `--map`. A header that is the key or the label of a contact field
 * is that field; any other becomes a field of its own where `makes` says so, and is left out otherwise. Throws one sentence for an
 * override that fits no column or names no field.
 */
export function mapColumns(
  headers: string[],
  fields: KnownField[],
  makes: boolean,
  overrides: ReadonlyMap<string, string> = new Map(),
): Column[] {
  for (const header of overrides.keys()) {
    if (!headers.includes(header)) {
      throw new Error(`--map: the file has no column "${header}". It has: ${headers.join(', ')}`)
    }
  }
  const taken = new Set<string>()
  const take = (header: string, column: Column, isChosen: boolean): Column => {
    const name = 'field' in column ? column.field : 'contactField' in column ? column.contactField : undefined
    if (name === undefined) return column
    if (taken.has(name)) {
      if (isChosen) throw new Error(`--map: two columns can not both be ${name}`)
      return { leftOut: true }
    }
    taken.add(name)
    return { ...column, ...('label' in column && { label: column.label || header }) }
  }
  const chosen = headers.map((header) => {
    const target = overrides.get(header)
    return target === undefined ? undefined : take(header, chosenColumn(target, header, fields, makes), true)
  })
  const own = byHeader(fields)
  return headers.map((header, index) => chosen[index] ?? take(header, guessedColumn(header, own, makes), false))
}

function chosenColumn(target: string, header: string, fields: KnownField[], makes: boolean): Column {
  if (target === '-') return { leftOut: true }
  const field = targets.find((each) => each === target)
  if (field && field !== '-') return { field }
  if (makes || fields.some(({ key }) => key === target)) return { contactField: target, label: header }
  const known = [...targets, ...fields.map(({ key }) => key)].join(', ')
  throw new Error(`--map: "${target}" is no field. Fields: ${known} (--create-fields makes others)`)
}

function guessedColumn(header: string, own: ReadonlyMap<string, string>, makes: boolean): Column {
  const folded = foldColumnName(header)
  if (folded === '') return { leftOut: true }
  const key = own.get(folded)
  if (key !== undefined) return { contactField: key, label: header }
  const field = meanings.get(folded)
  if (field === '-') return { leftOut: true }
  if (field) return { field }
  return makes ? { contactField: keyOf(header), label: header } : { leftOut: true }
}

/** The keys of contact fields by what their headers are, folded; the first field counts. */
function byHeader(fields: KnownField[]): ReadonlyMap<string, string> {
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

/** Where a column goes, for people. */
export function describeColumn(column: Column): string {
  if ('leftOut' in column) return '(left out)'
  return 'field' in column ? column.field : `contact field ${column.contactField}`
}
