import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BuiltApp } from './built.ts'

const root = join(import.meta.dirname, '..')
/** What apps import besides their own sources and packages. */
const SHARED = [
  'apps/shared',
  'clients',
  'proto/concurrency',
  'proto/declaring',
  'proto/formats',
  'proto/pages',
  'gateway/openapi',
  'docs/guides/organizers',
]

/** The client's types are made from the API document, which is hashed, and a build reads none. */
const TYPES = 'openapi.ts'

/** The hash of all that an app is built from: a build with the same one need not be made again. */
export async function versionOf(app: BuiltApp): Promise<string> {
  const folders = await Promise.all([join('apps', app), ...SHARED].map(sourcesIn))
  const builders = (await readdir(import.meta.dirname)).filter((name) => name.endsWith('.ts'))
  const paths = [...folders.flat(), ...builders.map((name) => join('apps', name)), 'package-lock.json'].sort()
  const hash = createHash('sha256')
  const texts = await Promise.all(paths.map((path) => readFile(join(root, path))))
  for (const [index, path] of paths.entries()) hash.update(path).update(texts[index] as Buffer)
  return hash.digest('hex').slice(0, 16)
}

async function sourcesIn(folder: string): Promise<string[]> {
  const entries = await readdir(join(root, folder), { withFileTypes: true })
  const paths = entries.map(async (entry) => {
    const path = join(folder, entry.name)
    if (!entry.isDirectory()) return entry.name.endsWith('.test.ts') || entry.name === TYPES ? [] : [path]
    return ['dist', 'node_modules', 'test'].includes(entry.name) ? [] : sourcesIn(path)
  })
  return (await Promise.all(paths)).flat()
}
