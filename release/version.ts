import { globSync, readFileSync, writeFileSync } from 'node:fs'

// `npm version X` writes X into the package.json of the repository, and then runs this, which writes it wherever else it stands.

function rewrite(file: string, change: (text: string) => string): void {
  writeFileSync(file, change(readFileSync(file, 'utf8')))
}

const { version, workspaces } = JSON.parse(readFileSync('package.json', 'utf8'))
for (const file of globSync(workspaces.map((each: string) => `${each}/package.json`)))
  rewrite(file, (text) => text.replace(/"version": ".*"/, `"version": "${version}"`))
rewrite('deploy/k8s/overlays/production/kustomization.yaml', (text) => text.replace(/newTag: .*/, `newTag: ${version}`))
rewrite('Dockerfile', (text) => text.replace(/VERSION=.*/, `VERSION=${version}`))
rewrite('deploy/helm/Chart.yaml', (text) => text.replaceAll(/^(version|appVersion): .*/gm, `$1: ${version}`))
// The section of a release that was not made is renamed; otherwise a new one begins.
rewrite('CHANGELOG.md', (text) =>
  text.replace(
    /^## (?:.* - Unreleased$)?/m,
    (found) => `## ${version} - Unreleased${found === '## ' ? '\n\n## ' : ''}`,
  ),
)
