import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { generatedFiles, type Manifest } from './manifests.ts'

const NOTE = '# Written by `npm run k8s` from services/services.ts and the *.ts of deploy/k8s: change those.\n'

/** The text of a generated file. */
export function textOf(manifests: readonly Manifest[]): string {
  const documents = manifests.map((manifest) => stringify(manifest, { aliasDuplicateObjects: false, lineWidth: 0 }))
  return NOTE + documents.join('---\n')
}

if (import.meta.main)
  for (const [path, manifests] of await generatedFiles())
    await writeFile(join(import.meta.dirname, path), textOf(manifests))
