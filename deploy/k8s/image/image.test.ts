import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { execute } from '@gatehouse/local/execute'
import { findPlatform } from '@gatehouse/local/platform'
import { programOf } from '@gatehouse/local/program'
import { isRoot } from '@gatehouse/local/user'
import { SECRETS_KEY } from '@gatehouse/test/harness/system.ts'
import { deep } from '@gatehouse/test/rounds.ts'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { mainOf, serviceNames } from '../../../services/services.ts'
import { buildImage, type Image } from './dockerfile.ts'

const context = join(import.meta.dirname, '../../..')
/** What the image below has: libc6, tzdata, netbase and certificates. */
const BASE_MIB = 16

/** Commands that run servers of the machine, which the image does not offer. */
const LOCAL = /\/cli\/(up|backup|mongod)\.ts$/

/** The C and C++ libraries of this machine, which stand for those of the image below. */
const LIBRARIES = ['libc.so.6', 'libm.so.6', 'libdl.so.2', 'libpthread.so.0', 'libstdc++.so.6', 'libgcc_s.so.1']

/** The files below a folder of the image. */
async function filesOf(path: string): Promise<string[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

// It takes a library of this machine from where Debian has it.
describe.runIf(findPlatform())('the image', deep, () => {
  let folder: string
  let image: Image

  beforeAll(async () => {
    // Beside what it links to, since hard links do not leave a file system; not in node_modules, where Node runs no TypeScript.
    const data = join(context, '.gatehouse')
    await mkdir(data, { recursive: true, mode: 0o711 })
    folder = await mkdtemp(join(data, 'image-'))
    image = await buildImage(context, folder)
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  test('is below 220 MiB', async () => {
    // By file, since links to workspaces lead to the same ones.
    const sizes = new Map<number, number>()
    for (const file of await filesOf(image.root)) {
      const { ino, size } = await stat(file)
      sizes.set(ino, size)
    }
    const bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0)
    expect(bytes / 1024 ** 2).toBeGreaterThan(150)
    expect(bytes / 1024 ** 2 + BASE_MIB).toBeLessThan(220)
  })

  test('is made of images that are named by their digests', async () => {
    const dockerfile = await readFile(join(context, 'Dockerfile'), 'utf8')
    const bases = [...dockerfile.matchAll(/^FROM (?:\$\{(\w+)\}|\S+)/gm)].map(([, name]) => name)
    expect(bases).toEqual(['NODE_BASE', 'BASE'])
    for (const name of bases) expect(dockerfile).toMatch(new RegExp(`^ARG ${name}=\\S+@sha256:[0-9a-f]{64}$`, 'm'))
  })

  test('runs processes as nobody, with the flags and the allocator of npm start and the Node of the lock file', async () => {
    expect(image.last.USER).toBe('65532:65532')
    expect(JSON.parse(image.last.ENTRYPOINT ?? '')).toEqual(['node', ...programOf('', '').args.slice(0, -1)])
    const { MALLOC_MMAP_THRESHOLD_ } = programOf('', '').env
    expect(image.last.ENV).toBe(`MALLOC_MMAP_THRESHOLD_=${MALLOC_MMAP_THRESHOLD_}`)
    const version = await execute(join(image.root, 'usr/local/bin/node'), ['--version'])
    expect(version.trim()).toBe(process.version)
  })

  test('holds no tests, nothing that only tests need, and all that its files import', async () => {
    const root = join(image.root, image.workdir)
    const missing = new Set<string>()
    let imports = 0
    for (const part of ['proto', 'gateway', 'services', 'cli', 'clients'])
      for (const file of await filesOf(join(root, part))) {
        expect(file).not.toMatch(/\.test\.ts$|\/testing\//)
        if (!file.endsWith('.ts')) continue
        const text = (await readFile(file, 'utf8')).replaceAll(/^(import|export) type [^']*'[^']+'/gm, '')
        for (const [, from = ''] of text.matchAll(
          /^(?:import|export|\}) [^']*?from '([^']+)'|\bimport\('([^']+)'\)/gm,
        )) {
          if (!from || isBuiltin(from) || (LOCAL.test(file) && from.startsWith('@gatehouse/local/'))) continue
          imports++
          const [scope = '', name = ''] = from.split('/')
          const place = from.startsWith('.')
            ? join(dirname(file), from)
            : join(root, 'node_modules', from.startsWith('@') ? `${scope}/${name}` : scope)
          if (!existsSync(place)) missing.add(`${file.slice(root.length + 1)}: ${from}`)
        }
      }
    expect(imports).toBeGreaterThan(1_000)
    expect([...missing]).toEqual([])
    expect(existsSync(join(root, 'node_modules/vitest'))).toBe(false)
  })

  describe.runIf(isRoot())('alone in a file system', () => {
    beforeAll(async () => {
      await symlink('usr/lib', join(image.root, 'lib'))
      const node = join(image.root, 'usr/local/bin/node')
      const loaded = await execute('ldd', [node])
      const needed = [...loaded.matchAll(/(\/\S+\/([^/\s]+)) \(/g)]
      for (const [, path = '', name = ''] of needed) {
        if (!LIBRARIES.includes(name) && !name.startsWith('ld-linux')) continue
        const place = name.startsWith('ld-linux') ? path : `/usr/lib/${name}`
        await mkdir(dirname(join(image.root, place)), { recursive: true })
        await cp(path, join(image.root, place), { dereference: true })
      }
    })

    /** Runs a process of the image as its user, who may write nowhere there. Resolves when it is ready. */
    async function start(name: string, namespace: string): Promise<{ url?: string; stop(): Promise<unknown> }> {
      const [program = '', ...flags] = JSON.parse(image.last.ENTRYPOINT ?? '') as string[]
      const user = ['--userspec', image.last.USER ?? '', '--groups', '', image.root]
      const child = spawn(
        'chroot',
        [...user, `/usr/local/bin/${program}`, ...flags, join(image.workdir, mainOf(name))],
        {
          env: {
            PATH: process.env.PATH,
            MONGODB_URL: inject('mongodbUrl'),
            NATS_URL: inject('natsUrl'),
            REDIS_URL: inject('redisUrl'),
            NAMESPACE: namespace,
            SECRETS_KEY,
            HOST: '127.0.0.1',
            PORT: '0',
          },
          stdio: ['ignore', 'pipe', 'inherit'],
        },
      )
      const ended = once(child, 'exit')
      const ready = new Promise<{ url?: string }>((resolve) => {
        createInterface({ input: child.stdout }).on('line', (line) => {
          if (line.includes('"msg":"ready"')) resolve(JSON.parse(line) as { url?: string })
        })
      })
      const state = await Promise.race([ready, ended.then(([code]) => expect.fail(`${name} ended with ${code}`))])
      return {
        ...state,
        stop: async () => {
          child.kill('SIGTERM')
          expect(await ended).toEqual([0, null])
        },
      }
    }

    test.each(['gateway', ...serviceNames])('%s starts and ends in order', async (name) => {
      const { url, stop } = await start(name, `test-image-${name}`)
      for (const path of url ? ['livez', 'docs', 'openapi.json', 'scanner/', 'console/'] : [])
        expect([path, (await fetch(`${url}/${path}`)).status]).toEqual([path, 200])
      await stop()
    })
  })
})
