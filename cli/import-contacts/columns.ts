import { fold, guess } from '../import-guests/headers.ts'

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

/** Names that these columns go by besides those that guests' have, as `fold` leaves them. */
const names: Record<string, Field> = {
  password: 'password',
  motdepasse: 'password',
  passwort: 'password',
  kennwort: 'password',
  contrasena: 'password',
  senha: 'password',
  palavrapasse: 'password',
  isblocked: 'is_blocked',
}

/** What a file of bad rows and the list of contacts hold, and nobody can set. */
const UNSETTABLE = new Set(['haspassword', 'sub'])

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
  return headers.map((header, index) => chosen[index] ?? take(header, guessedColumn(header, fields, makes), false))
}

function chosenColumn(target: string, header: string, fields: KnownField[], makes: boolean): Column {
  if (target === '-') return { leftOut: true }
  const field = targets.find((each) => each === target)
  if (field && field !== '-') return { field }
  if (makes || fields.some(({ key }) => key === target)) return { contactField: target, label: header }
  const known = [...targets, ...fields.map(({ key }) => key)].join(', ')
  throw new Error(`--map: "${target}" is no field. Fields: ${known} (--create-fields makes others)`)
}

function guessedColumn(header: string, fields: KnownField[], makes: boolean): Column {
  const folded = fold(header)
  const own = fields.find(({ key, label }) => fold(key) === folded || fold(label ?? '') === folded)
  if (own && folded !== '') return { contactField: own.key, label: header }
  const guessed = names[folded] ?? guess(header)
  const field = targets.find((each) => each === guessed)
  if (field === '-' || UNSETTABLE.has(folded) || folded === '') return { leftOut: true }
  if (field) return { field }
  return makes ? { contactField: keyOf(header), label: header } : { leftOut: true }
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
