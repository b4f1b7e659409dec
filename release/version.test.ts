import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import document from '@gatehouse/gateway/openapi.json' with { type: 'json' }
import { resourceOf } from '@gatehouse/proto/serving/telemetry/sdk/resource.ts'
import { runGatehouse } from '@gatehouse/test/harness/command-line.ts'
import { expect, test } from 'vitest'
import manifest from '../package.json' with { type: 'json' }

const { version } = manifest
const root = join(import.meta.dirname, '..')
const read = (file: string): string => readFileSync(join(root, file), 'utf8')

const lock = JSON.parse(read('package-lock.json'))
const workspaces = globSync(
  manifest.workspaces.map((each) => `${each}/package.json`),
  { cwd: root },
).map(dirname)

test.each(workspaces)(
  '%s has the version of the repository, in the lockfile too; if not, run: npm version',
  (folder) => {
    expect([JSON.parse(read(`${folder}/package.json`)).version, lock.packages[folder].version]).toEqual([
      version,
      version,
    ])
  },
)

test('workspaces depend on each other in whatever version they have, so that a new one changes nothing', () => {
  for (const folder of workspaces) {
    const { dependencies = {}, devDependencies = {} } = JSON.parse(read(`${folder}/package.json`))
    const found = Object.entries({ ...dependencies, ...devDependencies }).filter(([name]) =>
      name.startsWith('@gatehouse/'),
    )
    expect(found.filter(([, range]) => range !== '*')).toEqual([])
  }
})

test('gatehouse --version prints it', async () => {
  expect(await runGatehouse(['--version'], {})).toEqual({ code: 0, out: `${version}\n`, err: '' })
})

test('the API document, telemetry, the lockfile, the image, the overlay of production, the chart and the changelog name it', () => {
  expect(document.info.version).toBe(version)
  expect(resourceOf('gateway').attributes['service.version']).toBe(version)
  expect(lock.version).toBe(version)
  expect(read('deploy/k8s/overlays/production/kustomization.yaml')).toContain(`newTag: ${version}\n`)
  expect(read('Dockerfile')).toContain(`VERSION=${version}\n`)
  expect(read('deploy/helm/Chart.yaml')).toContain(`\nversion: ${version}\nappVersion: ${version}\n`)
  expect(read('CHANGELOG.md').match(/^## (.*) - /m)?.[1]).toBe(version)
})
