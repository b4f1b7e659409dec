import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execute } from '@gatehouse/local/execute'
import { apps, buildOf, currentOf } from '../apps/built.ts'
import manifest from '../package.json' with { type: 'json' }

const root = join(import.meta.dirname, '..')

/** The workspaces whose code the package contains, and in which it declares its dependencies. */
const WORKSPACES = [
  'proto',
  'gateway',
  'services/*',
  'cli',
  'clients/{door,imports,typescript}',
  'deploy/local',
  'deploy/local/mongod',
]
/** Files besides, from the root. */
const SOURCES = ['services/*.ts', 'apps/built.ts', 'proto/pages/base.css']
const EXCLUDED = ['**/{node_modules,dist,testing,generator}/**', '**/*.test.ts', '**/test-*.ts', '**/openapi.ts']

/**
 * Makes the npm package `gatehouse`, as a tarball in `folder`, and returns its path. The package has the folders of the repository, but in
 * JavaScript: Node strips no types below `node_modules`. `staging` is an empty folder for its files.
 */
export async function packGatehouse(folder: string, staging: string): Promise<string> {
  const files = globSync([...WORKSPACES.map((each) => `${each}/**/*.{ts,json}`), ...SOURCES], {
    cwd: root,
    exclude: EXCLUDED,
  })
  for (const file of files) {
    if (file.endsWith('.ts')) write(join(staging, asJavaScript(file)), javaScriptOf(file))
    else copy(file, staging)
  }
  for (const file of ['README.md', 'CHANGELOG.md', 'LICENSE']) copy(file, staging)
  await execute(process.execPath, [join(root, 'apps/main.ts')])
  for (const app of apps) {
    const build = await buildOf(app)
    for (const path of [currentOf(app), build?.folder ?? '']) copy(relative(root, path), staging)
  }
  write(join(staging, 'package.json'), JSON.stringify(packageOf(), null, 2))
  await execute('npm', ['pack', staging, '--pack-destination', folder])
  return join(folder, `gatehouse-${manifest.version}.tgz`)
}

function packageOf(): object {
  const { version, description, license, dependencies } = manifest
  const workspaces = globSync(
    WORKSPACES.map((each) => `${each}/package.json`),
    { cwd: root },
  ).map((file) => JSON.parse(readFileSync(join(root, file), 'utf8')).dependencies)
  const all = Object.assign({}, dependencies, ...workspaces) as Record<string, string>
  const published = Object.entries(all).filter(([name]) => !name.startsWith('@gatehouse/'))
  return {
    name: 'gatehouse',
    version,
    description,
    license,
    type: 'module',
    bin: { gatehouse: 'cli/main.js' },
    dependencies: Object.fromEntries(published.sort()),
  }
}

/** A module without types. Names of files end in `.js`, and workspaces are named by their files. */
function javaScriptOf(source: string): string {
  const code = stripTypeScriptTypes(readFileSync(join(root, source), 'utf8'))
  return code
    .replace(/(?<=['"])@gatehouse\/[^'"]+/g, (name) => {
      const file = relative(dirname(join(root, source)), fileURLToPath(import.meta.resolve(name)))
      return file.startsWith('.') ? file : `./${file}`
    })
    .replace(/\.ts(?=['"`])/g, '.js')
}

function asJavaScript(source: string): string {
  return source.replace(/\.ts$/, '.js')
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

function copy(file: string, staging: string): void {
  cpSync(join(root, file), join(staging, file), { recursive: true })
}
