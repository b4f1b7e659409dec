import { existsSync } from 'node:fs'
import { glob, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { slow } from './rounds.ts'

const root = join(import.meta.dirname, '..')
const files = await Array.fromAsync(
  glob(['*.md', '{docs,apps,bench,cli,clients,deploy,drill,fuzz,scale}/**/*.md'], {
    cwd: root,
    exclude: (name) => name === 'node_modules',
  }),
)

const withoutCode = (markdown: string): string => markdown.replaceAll(/```.*?```|`[^`\n]*`/gs, '')

/** The anchors of a document's headings, as GitHub makes them. */
async function anchorsOf(file: string): Promise<string[]> {
  const headings = (await readFile(file, 'utf8')).matchAll(/^#+ (.*)$/gm)
  return [...headings].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\d _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

test.each(files)('the links of %s lead to files and headings that are there', async (file) => {
  const links = withoutCode(await readFile(join(root, file), 'utf8')).matchAll(/\]\(([^)\s]+)\)/g)
  for (const [, link = ''] of links) {
    if (/^\w+:/.test(link)) continue
    const [path = '', anchor] = link.split('#')
    const target = path === '' ? join(root, file) : join(root, dirname(file), path)
    expect(existsSync(target), link).toBe(true)
    if (anchor) expect(await anchorsOf(target), link).toContain(anchor)
  }
})

test('docs/check-in.md and docs/recipient.md name functions and classes that are there', slow, async () => {
  const pages = await Promise.all(
    ['docs/check-in.md', 'docs/recipient.md'].map((file) => readFile(join(root, file), 'utf8')),
  )
  const named = pages.join('').matchAll(/`([a-z]*[A-Z]\w+)(?:\.(\w+))?`/g)
  const missing = new Set([...named].flatMap(([, ...parts]) => parts.filter((part) => part !== undefined)))
  expect(missing.size).toBeGreaterThan(30)
  const exclude = (name: string): boolean => name === 'node_modules' || name.endsWith('.test.ts')
  for await (const file of glob('{clients/door,gateway,proto,services}/**/*.ts', { cwd: root, exclude })) {
    const code = await readFile(join(root, file), 'utf8')
    for (const [word] of code.matchAll(/\w+/g)) missing.delete(word)
  }
  expect([...missing]).toEqual([])
})
