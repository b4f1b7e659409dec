import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Engine } from './engine.ts'
import type { Report } from './report.ts'

const MOST_MIB = 220

/** Checks what an image holds, and what it says about itself. */
export async function checkContents(engine: Engine, image: string, version: string, report: Report): Promise<void> {
  const [{ Size = 0, Config = {}, Labels = {} } = {}] = JSON.parse(await engine.podman('image', 'inspect', image))
  const root = await engine.mounted(image)
  const home = join(root, Config.WorkingDir)
  await report.check(`the image is below ${MOST_MIB} MiB`, () => {
    const mib = Size / 1024 ** 2
    assert.ok(mib < MOST_MIB, `it has ${mib.toFixed(1)}`)
    return `${mib.toFixed(1)} MiB`
  })
  await report.check('its labels are those of OCI', () => {
    for (const name of ['title', 'description', 'licenses', 'revision', 'base.name'])
      assert.ok(Labels[`org.opencontainers.image.${name}`], `${name} is missing`)
    assert.equal(Labels['org.opencontainers.image.version'], version)
  })
  await report.check('its SBOM names every package that is in it, and no other', async () => {
    const { bomFormat, components } = JSON.parse(await readFile(join(home, 'sbom.cdx.json'), 'utf8'))
    assert.equal(bomFormat, 'CycloneDX')
    const named = components.map((each: { purl: string }) => decodeURIComponent(each.purl).replace(/^pkg:npm\//, ''))
    // Ours, and Node, which is no package there but a program.
    const isOther = (each: string): boolean => !/^(@gatehouse\/|node(-bin-setup|-linux-\w+)?@)/.test(each)
    const listed = new Set<string>(named.filter(isOther))
    const installed = new Set((await packagesIn(home)).filter(isOther))
    assert.deepEqual([[...listed.difference(installed)], [...installed.difference(listed)]], [[], []])
    return `${listed.size} packages`
  })
  await report.check('it has no shell, no tests, no local stack and nothing that only developers use', async () => {
    for (const path of ['bin/sh', 'usr/bin/sh', 'usr/bin/apt-get'])
      assert.equal(existsSync(join(root, path)), false, path)
    for (const path of ['deploy', 'test', 'node_modules/vite', 'node_modules/vitest', 'node_modules/typescript'])
      assert.equal(existsSync(join(home, path)), false, path)
    const files = await readdir(home, { recursive: true })
    const left = files.filter((file) => /\.test\.ts$|^node_modules\/(?!@gatehouse).*\.(map|d\.ts|md)$/.test(file))
    assert.deepEqual(left, [])
  })
}

/** Imports each module that does something only when it is called, and prints what fails. */
const IMPORT_ALL = `
const { globSync } = await import('node:fs')
const files = globSync('{proto,gateway,services,cli,clients/door}/**/*.ts', { exclude: ['**/node_modules', '**/*.d.ts'] })
for (const file of files.filter((each) => !/(main|write|viewer|worker|up|backup|mongod)\\.ts$/.test(each)))
  await import('/gatehouse/' + file).catch((error) => console.log(file + ': ' + error.message))
console.log(files.length)
process.exit()`

/** Checks that all is there that the modules of an image import. */
export async function checkImports(engine: Engine, image: string, report: Report): Promise<void> {
  await report.check('each module finds what it imports', async () => {
    const [count, ...failures] = (await engine.podman('run', '--read-only', image, '--eval', IMPORT_ALL))
      .trim()
      .split('\n')
      .reverse()
    assert.deepEqual(failures, [])
    return `${count} modules`
  })
}

/** The packages in a folder and its workspaces, as `name@version`. */
async function packagesIn(home: string): Promise<string[]> {
  const files = await readdir(home, { recursive: true })
  const manifests = files.filter((file) => /(^|\/)node_modules\/(@[^/]+\/)?[^/@.][^/]*\/package\.json$/.test(file))
  return Promise.all(
    manifests.map(async (file) => {
      const { name, version } = JSON.parse(await readFile(join(home, file), 'utf8'))
      return `${name}@${version}`
    }),
  )
}
