// @module-tag slow
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import manifest from '../package.json' with { type: 'json' }
import { type ReleaseOptions, release } from './release.ts'

const root = join(import.meta.dirname, '..')
const { version } = manifest
const tag = `v${version}`

let folder: string
/** Runs a program in the folder, and returns what it prints. */
const run = async (program: string, ...args: string[]): Promise<string> =>
  (await promisify(execFile)(program, args, { cwd: folder })).stdout

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-release-'))
})
afterEach(() => rm(folder, { recursive: true }))

const write = (file: string, text: string) => writeFile(join(folder, file), text)
const read = (file: string) => readFile(join(folder, file), 'utf8')

describe('npm run release, in a clone', () => {
  let done: string[]
  const options: ReleaseOptions = {
    dryRun: false,
    test: async () => void done.push('tested'),
    pack: async (place) => {
      done.push('packed')
      return [join(place, 'gatehouse.tgz')]
    },
  }

  beforeEach(async () => {
    done = []
    // The version may be released already.
    await run('git', 'clone', '--quiet', '--no-tags', '--sparse', root, '.')
    await run('git', 'checkout', '--quiet', '-B', 'main')
    await run('git', 'config', 'user.name', 'Ada')
    await run('git', 'config', 'user.email', 'ada@example.org')
    await write('package.json', JSON.stringify({ version }))
    await changelog(`## ${version} - 2026-11-28\n\n### Doors\n\n- They open.\n\n## 0.9.0 - 2026-01-01\n\n- Older.\n`)
  })

  /** Commits a changelog with these sections. */
  async function changelog(sections: string): Promise<void> {
    await write('CHANGELOG.md', `# Changelog\n\nIts format.\n\n${sections}`)
    await run('git', 'commit', '--quiet', '--all', '--message', 'Changelog')
  }

  test('tests and packs, writes the notes of the changelog, tags, and publishes nothing, but says how', async () => {
    const commands = await release(folder, options)
    expect(done).toEqual(['tested', 'packed'])
    const notes = '### Doors\n\n- They open.'
    expect(await read(`dist/notes-${version}.md`)).toBe(notes)
    expect(await run('git', 'cat-file', '-t', tag)).toBe('tag\n')
    expect(await run('git', 'tag', '--list', '--format', '%(contents)', tag)).toBe(
      `Gatehouse ${version}\n\n${notes}\n\n`,
    )
    expect(await run('git', 'rev-parse', `${tag}^{commit}`)).toBe(await run('git', 'rev-parse', 'HEAD'))
    expect(commands).toEqual([
      `git push origin main ${tag}`,
      expect.stringMatching(/^npm publish \S+gatehouse\.tgz --access public --tag \w+$/),
      expect.stringContaining(`gh release create ${tag} `),
    ])
    await expect(release(folder, options)).rejects.toThrow(`${tag} is released`)
  })

  test('a dry run makes no tag', async () => {
    await release(folder, { ...options, dryRun: true })
    expect(done).toEqual(['tested', 'packed'])
    expect(await run('git', 'tag', '--list', tag)).toBe('')
  })

  test('says all that is wrong at once: changed files, another branch, no date in the changelog; and does nothing', async () => {
    await changelog(`## ${version} - Unreleased\n\n- They open.\n`)
    await run('git', 'checkout', '--quiet', '-b', 'other')
    await write('new', '')
    await expect(release(folder, options)).rejects.toThrow(
      /^the working tree has changes; the branch is not main; CHANGELOG\.md has no section "## \S+ - [\d-]{10}", with the date of the release$/,
    )
    expect(done).toEqual([])
  })

  test('a failed test ends it before there is a tag', async () => {
    const failing = { ...options, test: () => Promise.reject(new Error('a test failed')) }
    await expect(release(folder, failing)).rejects.toThrow('a test failed')
    expect(await run('git', 'tag', '--list', tag)).toBe('')
  })
})

test('npm version writes the version wherever it stands, and gives the changelog a section for it', async () => {
  const overlay = 'deploy/k8s/overlays/production'
  for (const each of ['services/promo', 'deploy/helm', overlay]) await mkdir(join(folder, each), { recursive: true })
  await write('services/promo/package.json', '{\n  "version": "1.0.0",\n  "private": true\n}\n')
  await write(`${overlay}/kustomization.yaml`, 'images:\n  - newTag: 1.0.0\n')
  await write('Dockerfile', 'ARG VERSION=1.0.0\n')
  await write('deploy/helm/Chart.yaml', 'version: 1.0.0\nappVersion: 1.0.0\n')
  await write('CHANGELOG.md', '# Changelog\n\n## 1.0.0 - 2026-11-28\n\n- Old.\n')
  for (const next of ['1.0.1', '1.1.0']) {
    await write('package.json', JSON.stringify({ version: next, workspaces: ['services/*'] }))
    await run(process.execPath, join(import.meta.dirname, 'version.ts'))
  }
  expect(await read('services/promo/package.json')).toBe('{\n  "version": "1.1.0",\n  "private": true\n}\n')
  expect(await read(`${overlay}/kustomization.yaml`)).toBe('images:\n  - newTag: 1.1.0\n')
  expect(await read('Dockerfile')).toBe('ARG VERSION=1.1.0\n')
  expect(await read('deploy/helm/Chart.yaml')).toBe('version: 1.1.0\nappVersion: 1.1.0\n')
  expect(await read('CHANGELOG.md')).toBe('# Changelog\n\n## 1.1.0 - Unreleased\n\n## 1.0.0 - 2026-11-28\n\n- Old.\n')
})
