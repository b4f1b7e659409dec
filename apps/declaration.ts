/** What a value is, as far as a cell or a form field must know. */
export type Kind = 'text' | 'integer' | 'number' | 'boolean' | 'datetime' | 'choice' | 'choices' | 'texts' | 'object'

/** A field as the API declares it. */
export interface DeclaredField {
  kind: Kind
  required?: true
  /** It may be null. */
  optional?: true
  choices?: string[]
  maximum?: number
  minimum?: number
  maxLength?: number
  /** Of which kind the values are which forms should offer; others are taken too. */
  known?: 'time_zones' | 'languages' | 'colours'
  /** The value of who gives none. */
  initial?: unknown
}

/** What a staff member may do. */
export type Role = 'viewer' | 'door_manager' | 'organizer' | 'owner'

/** A list of the API with what may be done with its items. */
export interface DeclaredList {
  /** The kinds of an item's fields. */
  item: Record<string, Kind>
  /** The fields of a creation; undefined if there is none. */
  create?: Record<string, DeclaredField>
  /** The names of the fields that can be changed. */
  update?: string[]
  /** The path of one item, if it can be read, changed or deleted. */
  one?: string
  reads?: true
  deletes?: true
  /** The least roles that may see it, create items and change them. */
  sees: Role
  creates?: Role
  changes?: Role
  paged?: true
}

/** An object with the same names and changed values. */
export function mapped<Value, Result>(
  values: Record<string, Value>,
  change: (value: Value, name: string) => Result,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value, name)]))
}
