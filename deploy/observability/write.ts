import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'
import { dashboard } from './dashboard.ts'

/** The text of each generated file, by its name. */
export async function generatedFiles(): Promise<Record<string, string>> {
  const { groups } = parse(await readFile(join(import.meta.dirname, 'alerts.yaml'), 'utf8'))
  const rule = {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: { name: 'gatehouse' },
    spec: { groups },
  }
  return {
    'gatehouse.json': `${JSON.stringify(dashboard(), null, 2)}\n`,
    'prometheus-rule.yaml': `# Written by \`npm run k8s\` from alerts.yaml: change that.\n${stringify(rule, { lineWidth: 0 })}`,
  }
}

if (import.meta.main)
  for (const [name, text] of Object.entries(await generatedFiles()))
    await writeFile(join(import.meta.dirname, name), text)
