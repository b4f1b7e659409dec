import { foldColumnName } from '@gatehouse/proto/formats/lists/column-names.ts'

/** What several columns may be at once. */
const REPEATABLE = ['-', 'metadata', 'note', 'answer']

/**
 * What columns were said to be with `--map`, by index; a column without a header is called `Column 5`. Throws one sentence for a header that no
 * column has, and for what is none of `targets`.
 */
export function chosenColumns(
  headers: readonly string[],
  overrides: ReadonlyMap<string, string>,
  targets: readonly string[],
): Map<number, string> {
  const names = headers.map((header, index) => header || `Column ${index + 1}`)
  const chosen = new Map<number, string>()
  for (const [header, target] of overrides) {
    const exact = names.indexOf(header)
    const folded = foldColumnName(header)
    const index = exact >= 0 || folded === '' ? exact : names.findIndex((each) => foldColumnName(each) === folded)
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
