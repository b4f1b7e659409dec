/** Before the name of a metadata column whose own name would be read as something else: `metadata: Company`. */
export const GUEST_METADATA_PREFIX = 'metadata: '

/** Cells that a spreadsheet would run as a formula begin so; the full-width signs do in some. */
const FORMULA = /^'*[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/
const ESCAPED = /^'+[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/

/**
 * A cell that no spreadsheet runs: `'` goes before what looks like a formula, and before what already has one, so that
 * `unescapeFormula` always finds the way back.
 */
export function escapeFormula(cell: string): string {
  return FORMULA.test(cell) ? `'${cell}` : cell
}

/** What was in a cell before `escapeFormula`. */
export function unescapeFormula(cell: string): string {
  return ESCAPED.test(cell) ? cell.slice(1) : cell
}
