const END = '<!-- end -->'

/** Gives a Markdown text with `rows`, the heading first, as the table between `<!-- npm run COMMAND -->` and `<!-- end -->`. */
export function withTable(text: string, command: string, rows: readonly string[][]): string {
  const begin = `<!-- npm run ${command} -->`
  const [before, rest] = text.split(begin)
  if (rest === undefined) throw new Error(`There is no line ${begin}`)
  const after = rest.slice(rest.indexOf(END))
  return `${before}${begin}\n\n${table(rows)}\n\n${after}`
}

function table(rows: readonly string[][]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const lines = rows.map((row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`)
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`
  return [lines[0], rule, ...lines.slice(1)].join('\n')
}
