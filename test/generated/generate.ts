import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'

const here = import.meta.dirname
const root = join(here, '../..')
/** Typed strictly, for Node and browsers alike. */
const compilerOptions = {
  strict: true,
  target: 'esnext',
  module: 'nodenext',
  outDir: 'built',
  rootDir: '.',
  types: [],
  noEmitOnError: true,
}

/** Generates a client from an API document, into `folder`. */
type Generator = (document: string, folder: string) => Promise<void>

/** The generators, by the names of their programs. */
const generators: Record<string, Generator> = {
  'openapi-fetch': (document, folder) =>
    node(installed('openapi-typescript/bin/cli.js'), document, '-o', join(folder, 'openapi.ts')),
  'hey-api': (document, folder) =>
    node(
      '--import',
      join(here, 'older-typescript.ts'),
      installed('@hey-api/openapi-ts/dist/run.mjs'),
      ...['-i', document, '-o', folder, '-c', '@hey-api/client-fetch'],
    ),
  orval: async (document, folder) => {
    // The client has its address from the document alone.
    const output = {
      target: join(folder, 'client.ts'),
      client: 'fetch',
      baseUrl: { getBaseUrlFromSpecification: true },
    }
    const configuration = join(folder, 'orval.config.mjs')
    await writeFile(configuration, `export default ${JSON.stringify({ gatehouse: { input: document, output } })}`)
    await node(installed('orval/dist/bin/orval.mjs'), '--config', configuration)
  },
}

/** The names of the generators. */
export const generatorNames: readonly string[] = Object.keys(generators)

/** Generates every client from an API document, into subfolders of `folder`, with a program that uses each. */
export async function generateAll(document: object, folder: string): Promise<void> {
  const file = join(folder, 'openapi-client.json')
  await writeFile(file, JSON.stringify(document))
  for (const [name, generate] of Object.entries(generators)) {
    await mkdir(join(folder, name))
    await generate(file, join(folder, name))
  }
  for (const name of ['program.ts', 'programs']) await cp(join(here, name), join(folder, name), { recursive: true })
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
}

/** Compiles the clients and their programs into `built`. Rejects with what is wrong in them. */
export function compile(folder: string): Promise<void> {
  return node(join(root, 'node_modules/typescript/bin/tsc'), '--project', folder)
}

/** Runs a program in Node. Rejects with what it printed if it fails. */
async function node(...args: string[]): Promise<void> {
  await promisify(execFile)(process.execPath, args, { maxBuffer: 2 ** 24, env: { ...process.env, CI: 'true' } }).catch(
    (error: { stdout?: string; stderr?: string }) => {
      throw new Error(`${args.join(' ')}\n${error.stdout}${error.stderr}`)
    },
  )
}

/** The path of a file of a package, which need not export it. */
function installed(path: string): string {
  // It may be of the workspace or of the root, as npm decides.
  const places = (createRequire(import.meta.url).resolve.paths(path) ?? []).map((place) => join(place, path))
  return places.find((each) => existsSync(each)) ?? path
}
