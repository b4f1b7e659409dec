import { readFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { build, manifestsIn } from './build.ts'
import type { Manifest } from './manifest.ts'
import type { NatsValues } from './nats-chart.ts'
import { availabilityRules } from './rules/availability.ts'
import { connectionRules } from './rules/connections.ts'
import { containerRules } from './rules/containers.ts'
import { settingRules } from './rules/settings.ts'
import { type Stores, storeProblems } from './rules/stores.ts'
import { schemaProblems } from './schemas.ts'

const rules = [...containerRules, ...settingRules, ...availabilityRules, ...connectionRules]

/** Whole systems, which have to keep all rules. */
export const overlays = ['development', 'production'].map((name) => join(import.meta.dirname, 'overlays', name))

/** What belongs to the stores, which have rules of their own. */
export const storesFolder = join(import.meta.dirname, 'stores')

/** What the objects of a build have against their schemas, each with its kind and name. */
export async function invalid(manifests: readonly Manifest[]): Promise<string[]> {
  const problems = manifests.map(async (manifest) =>
    (await schemaProblems(manifest)).map((problem) => `${manifest.kind} ${manifest.metadata?.name}: ${problem}`),
  )
  return (await Promise.all(problems)).flat()
}

/** Which rules the objects of a whole system break. */
export async function broken(manifests: readonly Manifest[]): Promise<string[]> {
  const problems = rules.map(async ({ title, problemsOf }) =>
    (await problemsOf(manifests)).map((problem) => `${title}. ${problem}`),
  )
  return (await Promise.all(problems)).flat()
}

/** What the stores are made of, as it is committed. */
export async function storeFiles(): Promise<Stores> {
  const read = async (name: string) => manifestsIn(await readFile(join(storesFolder, name), 'utf8'))
  const [nats] = await read('nats-values.yaml')
  const manifests = await Promise.all([read('mongodb.yaml'), read('redis.yaml')])
  return { manifests: manifests.flat(), nats: nats as unknown as NatsValues }
}

/** Checks a folder and says what it found, in lines. */
async function check(folder: string): Promise<{ lines: string[]; isRight: boolean }> {
  const name = relative(process.cwd(), folder)
  const manifests = await build(folder, console.error).catch((error) => error.stderr?.trim() ?? error.message)
  if (typeof manifests === 'string') return { lines: [`${name}: ${manifests}`], isRight: false }
  const schema = await invalid(manifests)
  const rulesOf = async () => (resolve(folder) === storesFolder ? storeProblems(await storeFiles()) : broken(manifests))
  // Rules read what schemas have checked.
  const problems = schema.length > 0 ? schema : await rulesOf()
  const lines = [`${name}: ${manifests.length} objects, ${problems.length || 'no'} problems`]
  return { lines: [...lines, ...problems.map((problem) => `  ${problem}`)], isRight: problems.length === 0 }
}

if (import.meta.main) {
  const asked = process.argv.slice(2)
  const folders = asked.length > 0 ? asked : [...overlays, storesFolder]
  for (const { lines, isRight } of await Promise.all(folders.map(check))) {
    console.log(lines.join('\n'))
    if (!isRight) process.exitCode = 1
  }
}
