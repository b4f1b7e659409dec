import { readdir, readFile, stat } from 'node:fs/promises'
import { join, matchesGlob } from 'node:path'
import { expect, test } from 'vitest'
import manifest from '../package.json' with { type: 'json' }
import { aloneFiles } from './rounds.ts'

const root = join(import.meta.dirname, '..')

/** A command of the documents that runs tests: `npx vitest run`, or `npm run test:deep --`. */
interface Command {
  text: string
  isDeep: boolean
  /** Files and folders, without the options of vitest. */
  paths: string[]
}

const commandsIn = (markdown: string): Command[] =>
  [...markdown.matchAll(/`(npx vitest run|npm run test:deep --) ([^`]+)`/g)].map(([text, start, rest = '']) => ({
    text,
    isDeep: start !== 'npx vitest run',
    paths: rest.split(' '),
  }))

/** The test files of a path, which may be a folder; none if it is not there. */
async function testFilesOf(path: string): Promise<string[]> {
  const found = await stat(join(root, path)).catch(() => undefined)
  if (!found?.isDirectory()) return found && path.endsWith('.test.ts') ? [path] : []
  const names = await readdir(join(root, path), { recursive: true })
  return names
    .filter((name) => name.endsWith('.test.ts') && !name.includes('node_modules'))
    .map((name) => join(path, name))
}

/**
 * How many tests of a source have the option `deep`, themselves or by a `describe` around them, and how many have not. It is read as text, which
 * takes no time: each call of `test` or `describe` begins a line, what is further indented is within, and the option stands behind the title.
 */
function countTests(source: string): { deep: number; others: number } {
  const knowsDeep = /^import \{.*\bdeep\b.*\} from '.*rounds\.ts'$/m.test(source)
  const calls = source.split(/^(?= *(?:test|describe)[.(])/m).filter((part) => /^ *(test|describe)/.test(part))
  const around: { indent: number; isDeep: boolean }[] = []
  const counts = { deep: 0, others: 0 }
  for (const call of calls) {
    const indent = call.search(/\S/)
    while ((around.at(-1)?.indent ?? -1) >= indent) around.pop()
    const isDeep = around.at(-1)?.isDeep || (knowsDeep && /, deep,|^ *deep,$/m.test(call))
    if (call.trimStart().startsWith('test')) counts[isDeep ? 'deep' : 'others']++
    else around.push({ indent, isDeep })
  }
  return counts
}

/** The same of a file. What runs alone runs in `npm run test:deep` only. */
async function countTestsOf(file: string): Promise<{ deep: number; others: number }> {
  const { deep, others } = countTests(await readFile(join(root, file), 'utf8'))
  return aloneFiles.some((glob) => matchesGlob(file, glob)) ? { deep: deep + others, others: 0 } : { deep, others }
}

const folder = join(root, 'docs')
const documents = await Promise.all(
  (await readdir(folder)).filter((name) => name.endsWith('.md')).map((name) => readFile(join(folder, name), 'utf8')),
)

test.each(documents.flatMap(commandsIn))(
  '$text of docs/*.md names tests, and does not skip them',
  async ({ isDeep, paths }) => {
    for (const path of paths) {
      const counts = await Promise.all((await testFilesOf(path)).map(countTestsOf))
      expect(counts, path).not.toEqual([])
      // A folder may have files of deep tests alone beside others.
      expect(
        counts.filter(({ deep, others }) => (isDeep ? deep : others) > 0),
        `${path} has ${isDeep ? 'no deep tests' : 'deep tests alone'}`,
      ).not.toEqual([])
    }
  },
)

test('there are commands of both kinds, and each script that docs/*.md name', () => {
  const kinds = documents.flatMap(commandsIn).map(({ isDeep }) => isDeep)
  expect(new Set(kinds).size).toBe(2)
  const scripts = documents.flatMap((text) => [...text.matchAll(/`npm run ([\w:]+)/g)].map(([, script]) => script))
  expect(scripts.length).toBeGreaterThan(20)
  expect(scripts.filter((script = '') => !(script in manifest.scripts))).toEqual([])
})

const IMPORT = "import { deep } from './rounds.ts'\n"

test.each([
  ['a test', `${IMPORT}test('x', deep, () => {\n})\ntest('y', () => {\n})`, 1, 1],
  [
    'a test of several cases',
    `${IMPORT}  test.each(\n    ['a'],\n  )(\n    'x %s',\n    deep,\n    () => {},\n  )`,
    1,
    0,
  ],
  [
    'those around that it is',
    `${IMPORT}describe('x', deep, () => {\n  test('y', () => {\n  })\n})\ntest('z', () => {\n})`,
    1,
    1,
  ],
  ['none, where the word is something else', "test('x', () => {\n  read(list, deep, 7)\n})", 0, 1],
])('the option deep is that of %s', (_of, source, deep, others) => {
  expect(countTests(source)).toEqual({ deep, others })
})
