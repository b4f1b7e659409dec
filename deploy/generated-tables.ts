const END = '<!-- end -->'

/** Returns a Markdown text with `rows`, the heading first, as the table between `<!-- npm run COMMAND -->` and `<!-- end -->`. */
export function withTable(text: string, command: string, rows: readonly string[][]): string {
  const begin = `<!-- npm run ${command} -->`
  const [before, rest] = text.split(begin)
  if (rest === undefined) throw new Error(`There is no line ${begin}`)
  const after = rest.slice(rest.indexOf(END))
  return `${before}${begin}\n\n${table(rows)}\n\n${after}`
}

function table(rows: readonly string[][]): string {
  const [heading = '', ...others] = rows.map((row) => `| ${row.join(' | ')} |`)
  return [heading, `|${' --- |'.repeat(rows[0]?.length ?? 0)}`, ...others].join('\n')
}
