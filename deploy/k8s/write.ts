import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { stringify } from 'yaml'
import type { Manifest } from './manifest.ts'
import { cliManifests, manifestsOf, scalerOf } from './manifests.ts'
import { processNames } from './processes.ts'
import { mongodb, storePolicies } from './stores.ts'

const NOTE = '# Written by `npm run k8s` from services/services.ts and the *.ts of deploy/k8s: change those.\n'

/** The text of each generated file, by its path below this folder. */
export async function generatedFiles(): Promise<Record<string, string>> {
  const ofProcesses = processNames.map(async (name) => [`base/${name}.yaml`, textOf(await manifestsOf(name))] as const)
  return {
    ...Object.fromEntries(await Promise.all(ofProcesses)),
    'base/cli.yaml': textOf(cliManifests()),
    'components/autoscaling/scalers.yaml': textOf(processNames.map(scalerOf)),
    'stores/mongodb.yaml': textOf([mongodb()]),
    'stores/policies.yaml': textOf(storePolicies()),
  }
}

function textOf(manifests: readonly Manifest[]): string {
  const documents = manifests.map((manifest) => stringify(manifest, { aliasDuplicateObjects: false, lineWidth: 0 }))
  return NOTE + documents.join('---\n')
}

if (import.meta.main)
  for (const [path, text] of Object.entries(await generatedFiles()))
    await writeFile(join(import.meta.dirname, path), text)
