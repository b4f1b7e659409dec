import { columnMeanings, foldColumnName, personColumnNames } from '@gatehouse/proto/formats/column-names.ts'

/** What a column holds: a field of the recipient, a metadatum of the later guest, or nothing which is read. */
export type Column =
  | { field: 'email' | 'first_name' | 'last_name' | 'locale' }
  | { metadata: string }
  | { leftOut: true }

const meanings = columnMeanings({
  ...personColumnNames,
  locale: 'locale language langue sprache idioma lingua taal jezyk sprak 言語',
})

/** What a header means, if it is a known one. */
export function meaningOf(header: string): ReturnType<typeof meanings.get> {
  return meanings.get(foldColumnName(header))
}

/** What each column holds. Unknown columns, and those whose field an earlier one has, become metadata under their header. */
export function columnsOf(headers: string[]): Column[] {
  const taken = new Set<string>()
  return headers.map((header) => {
    const meaning = meaningOf(header)
    if (meaning === '-' || header === '') return { leftOut: true }
    if (meaning === undefined || taken.has(meaning)) return { metadata: header }
    taken.add(meaning)
    return { field: meaning }
  })
}
