import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'yaml'
import { CHART } from './helm.ts'

const [BEGIN, END] = ['<!-- npm run chart -->', '<!-- end -->']

/** A value of the chart that has a comment: its path, its default and what it is for. */
export interface Value {
  path: string
  default: unknown
  meaning: string
}

/** Returns the values of the chart that a comment explains, in their order; without those far within, which are of the stores' charts. */
export function valuesIn(text: string): Value[] {
  const parsed: unknown = parse(text)
  const found: Value[] = []
  const path: string[] = []
  let comment: string[] = []
  // Without the heading, which a blank line follows.
  for (const line of text.slice(text.indexOf('\n\n')).split('\n')) {
    const [, indent = '', hash, name] = /^( *)(?:(#)|([\w-]+):)/.exec(line) ?? []
    if (hash) comment.push(line.trim().slice(2))
    else if (name) {
      path.splice(indent.length / 2, Infinity, name)
      const value = path.reduce((within, key) => (within as Record<string, unknown>)?.[key], parsed)
      if (comment.length > 0 && path.length <= 2)
        found.push({ path: path.join('.'), default: value, meaning: comment.join(' ') })
      comment = []
    } else comment = []
  }
  return found
}

/** A default as a cell of a table; those of maps and lists with contents are too long for one. */
function cell(value: unknown): string {
  const isLong = typeof value === 'object' && value !== null && Object.keys(value).length > 0
  return isLong ? '' : `\`${JSON.stringify(value)}\``
}

/** Returns the text of README.md with the table of the chart's values. */
export async function withValues(readme: string): Promise<string> {
  const values = valuesIn(await readFile(join(CHART, 'values.yaml'), 'utf8'))
  const rows = values.map((each) => `| \`${each.path}\` | ${cell(each.default)} | ${each.meaning} |`)
  const table = ['| Value | Default | What it is for |', '| --- | --- | --- |', ...rows].join('\n')
  const [before, rest] = readme.split(BEGIN)
  if (rest === undefined) throw new Error(`There is no line ${BEGIN}`)
  return `${before}${BEGIN}\n\n${table}\n\n${rest.slice(rest.indexOf(END))}`
}
