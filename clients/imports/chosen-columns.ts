import { foldColumnName } from '@gatehouse/proto/formats/lists/column-names.ts'

/** What several columns may be at once. */
const REPEATABLE = ['-', 'metadata', 'note', 'answer']

/** The name of a column by where it is, for one without a header, or with that of another one. */
export function columnName(index: number): string {
  return `Column ${index + 1}`
}

/**
 * What columns were said to be with `--map`, by index; one may also be called `Column 5`, as one without a header has to. Throws one sentence for a header that no
 * column has, and for what is none of `targets`.
 */
export function chosenColumns(
  headers: readonly string[],
  overrides: ReadonlyMap<string, string>,
  targets: readonly string[],
): Map<number, string> {
  const names = headers.map((header, index) => header || columnName(index))
  const chosen = new Map<number, string>()
  for (const [header, target] of overrides) {
    const exact = names.indexOf(header)
    const folded = foldColumnName(header)
    const named = exact >= 0 || folded === '' ? exact : names.findIndex((each) => foldColumnName(each) === folded)
    const index = named >= 0 ? named : headers.findIndex((_, each) => columnName(each) === header)
    if (index < 0) throw new Error(`--map: the file has no column "${header}". It has: ${names.join(', ')}`)
    if (!targets.includes(target)) {
      throw new Error(`--map: "${target}" is not a field. Fields: ${targets.join(', ')} (- skips a column)`)
    }
    if (!REPEATABLE.includes(target) && [...chosen.values()].includes(target)) {
      throw new Error(`--map: two columns cannot both be ${target}`)
    }
    chosen.set(index, target)
  }
  return chosen
}
