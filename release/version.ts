import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import manifest from '../package.json' with { type: 'json' }

// `npm version X` writes X into the package.json of the repository, and then runs this, which writes it wherever else it stands.

const root = join(import.meta.dirname, '..')

function rewrite(file: string, change: (text: string) => string): void {
  const path = join(root, file)
  writeFileSync(path, change(readFileSync(path, 'utf8')))
}

for (const file of globSync(
  manifest.workspaces.map((each) => `${each}/package.json`),
  { cwd: root },
))
  rewrite(file, (text) => text.replace(/"version": ".*"/, `"version": "${manifest.version}"`))
rewrite('deploy/k8s/overlays/production/kustomization.yaml', (text) =>
  text.replace(/newTag: .*/, `newTag: ${manifest.version}`),
)
rewrite('CHANGELOG.md', (text) => {
  const heading = `## ${manifest.version} - `
  return text.includes(heading) ? text : text.replace('## ', `${heading}Unreleased\n\n## `)
})
