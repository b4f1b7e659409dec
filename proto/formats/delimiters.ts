const delimiters = [',', ';', '\t']
/** Characters that are read to detect the delimiter. */
export const HEADER_SIGNS = 65_536

/** Detects the delimiter: the most frequent candidate in the header line outside quotes, by default a comma. */
export function guessDelimiter(text: string): string {
  const found = new Map(delimiters.map((each) => [each, 0]))
  let quoted = false
  for (const sign of text.slice(0, HEADER_SIGNS)) {
    if (sign === '"') quoted = !quoted
    else if (quoted) continue
    else if (sign === '\n' || sign === '\r') break
    else if (found.has(sign)) found.set(sign, found.get(sign)! + 1)
  }
  return delimiters.reduce((best, each) => (found.get(each)! > found.get(best)! ? each : best))
}
