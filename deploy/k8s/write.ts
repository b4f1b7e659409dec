import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { stringify } from 'yaml'
import {
  isBackground,
  mainOf,
  type ServiceName,
  serviceNames,
  services,
  sharedProcesses,
} from '../../services/services.ts'
import { withTable } from '../generated-tables.ts'
import { cliManifests, manifestsOf, scalerOf } from './manifests.ts'
import { processNames } from './processes.ts'
import { mongodb, mongodbBudget, storePolicies } from './stores.ts'

const NOTE = "# Written by `npm run k8s` from the services' declaration.ts and the *.ts of deploy/k8s: change those.\n"
const OPERATIONS = '../../docs/operations.md'

/** The text of each generated file, by its path below this folder. */
export async function generatedFiles(): Promise<Record<string, string>> {
  const ofProcesses = processNames.map(async (name) => [`base/${name}.yaml`, textOf(await manifestsOf(name))] as const)
  return {
    ...Object.fromEntries(await Promise.all(ofProcesses)),
    'base/kustomization.yaml': textOf([base()]),
    'base/cli.yaml': textOf(cliManifests()),
    'components/autoscaling/scalers.yaml': textOf(processNames.map(scalerOf)),
    'stores/mongodb.yaml': textOf([mongodb(), mongodbBudget()]),
    'stores/policies.yaml': textOf(storePolicies()),
    [OPERATIONS]: withTable(await readFile(join(import.meta.dirname, OPERATIONS), 'utf8'), 'k8s', processTable()),
  }
}

/** All processes, once each. Overlays say how many and with which settings. */
function base(): object {
  return {
    apiVersion: 'kustomize.config.k8s.io/v1beta1',
    kind: 'Kustomization',
    labels: [{ pairs: { 'app.kubernetes.io/part-of': 'gatehouse' }, includeTemplates: true }],
    resources: ['namespace', 'default-deny', ...processNames, 'cli'].map((name) => `${name}.yaml`),
  }
}

/** What operators have to provide for each process, and which services share one where `npm start` runs them. */
function processTable(): string[][] {
  const rowOf = (name: string, needs: string, shared: string) => [name, `\`node ${mainOf(name)}\``, needs, shared]
  const sharedBy = (name: ServiceName) => {
    const group = sharedProcesses.find((each) => each.includes(name)) ?? []
    if (group.length === 1) return 'alone'
    return isBackground(name) ? 'with those that can wait' : 'with others'
  }
  return [
    ['Process', 'Start', 'Needs', 'With `npm start`'],
    rowOf('gateway', 'NATS', 'alone'),
    ...serviceNames.map((name) => rowOf(name, services[name].needs, sharedBy(name))),
  ]
}

function textOf(manifests: readonly object[]): string {
  const documents = manifests.map((manifest) => stringify(manifest, { aliasDuplicateObjects: false, lineWidth: 0 }))
  return NOTE + documents.join('---\n')
}

if (import.meta.main)
  for (const [path, text] of Object.entries(await generatedFiles()))
    await writeFile(join(import.meta.dirname, path), text)
