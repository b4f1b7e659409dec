import { join, relative, resolve } from 'node:path'
import { build } from './build.ts'
import type { Manifest } from './manifest.ts'
import { availabilityRules } from './rules/availability.ts'
import { connectionRules } from './rules/connections.ts'
import { containerRules } from './rules/containers.ts'
import { settingRules } from './rules/settings.ts'
import { schemaProblems } from './schemas.ts'

const rules = [...containerRules, ...settingRules, ...availabilityRules, ...connectionRules]

/** Whole systems, which have to keep all rules. */
export const overlays = ['development', 'production'].map((name) => join(import.meta.dirname, 'overlays', name))

/** What belongs to the stores, of which only the schemas are checked. */
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

/** Checks a folder and says what it found, in lines. */
async function check(folder: string): Promise<{ lines: string[]; isRight: boolean }> {
  const name = relative(process.cwd(), folder)
  const manifests = await build(folder, console.error).catch((error) => error.stderr?.trim() ?? error.message)
  if (typeof manifests === 'string') return { lines: [`${name}: ${manifests}`], isRight: false }
  const schema = await invalid(manifests)
  // Rules read what schemas have checked.
  const problems = schema.length > 0 || resolve(folder) === storesFolder ? schema : await broken(manifests)
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
