import { columnMeanings, foldColumnName } from '@gatehouse/proto/formats/column-names.ts'
import { guestColumnNames } from '@gatehouse/proto/formats/guest-column-names.ts'
import { guests } from '../resources/resources.ts'

/** What a column of a file may be: a field of the guest's form, where the category has its name or id. */
export const columns = guests.fields.map(withoutId)

/** What a column is: one of these, `metadata`, which is further information of the guest, or `none`. */
export type Meaning = string

const meanings: ReadonlyMap<string, Meaning> = new Map([
  ...columns.map((column) => [foldColumnName(column), column] as const),
  ...columnMeanings(guestColumnNames),
])

/** What columns most likely are, by their names in the header; each field is one column at most. */
export function guessed(header: readonly string[]): Meaning[] {
  const taken = new Set<string>()
  return header.map((name) => {
    const found = meanings.get(foldColumnName(name)) ?? 'metadata'
    if (found === '-') return 'none'
    const column = withoutId(found)
    if (!columns.includes(column) || taken.has(column)) return 'metadata'
    taken.add(column)
    return column
  })
}

/** A file names a category by its name or its id, in a column of either name. */
function withoutId(field: string): string {
  return field.replace(/_category_id$/, '_category')
}
