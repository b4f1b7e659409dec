import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The apps, whose names are their folders here and their paths at the gateway. */
export const apps = ['scanner', 'leads', 'print', 'console'] as const

/** The name of an app. */
export type BuiltApp = (typeof apps)[number]

/** What a build has made of an app. */
export interface Build {
  /** The hash of the sources. */
  version: string
  folder: string
  /** Paths in the folder, with `.br` and `.gz` beside those that are smaller compressed. */
  files: string[]
}

/** The folder in which each build of an app has one, named after its version. */
export function buildsOf(app: BuiltApp): string {
  return join(import.meta.dirname, app, 'dist')
}

/** The file that names the current build: it is replaced at once, so that nobody reads a half-made one. */
export function currentOf(app: BuiltApp): string {
  return join(buildsOf(app), 'current')
}

/** The current build of an app; undefined if it was never built. */
export async function buildOf(app: BuiltApp): Promise<Build | undefined> {
  const version = await readFile(currentOf(app), 'utf8').catch(() => undefined)
  if (version === undefined) return undefined
  const folder = join(buildsOf(app), version)
  return { version, folder, files: await filesIn(folder) }
}

/** The paths of all files in a folder, from there. */
export async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort()
}
