/** The beginnings of formulas in spreadsheets; some accept full-width characters. */
const FORMULA = /^'*[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/
const ESCAPED = /^'+[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/
/** Digits that a leading `'` keeps as a text: a code or a telephone number. */
const QUOTED_DIGITS = /^'+[+\d][\d\s().+\-/]*$/
/** A formula whose value is a text, by which a code keeps its zeros: `="000124"`. */
const TEXT_FORMULA = /^="([^"]*)"$/

/**
 * Prefixes a cell that looks like a formula with `'`, so that no spreadsheet runs it; also one that has this prefix, so that `unescapeFormula`
 * restores every cell.
 */
export function escapeFormula(cell: string): string {
  return FORMULA.test(cell) || QUOTED_DIGITS.test(cell) ? `'${cell}` : cell
}

/** Reverses `escapeFormula`, and what people do to keep the digits of a code: `'000125` and `="000124"`. */
export function unescapeFormula(cell: string): string {
  if (ESCAPED.test(cell) || QUOTED_DIGITS.test(cell)) return cell.slice(1)
  const text = cell.startsWith('="') && TEXT_FORMULA.exec(cell)
  return text ? (text[1] as string) : cell
}
