// @module-tag slow
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { deep } from '@gatehouse/test/rounds.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ensurePackages, packagesFolder } from './packages.ts'
import { findPlatform } from './platform.ts'
import type { StackFile } from './state.ts'
import { canRead, isRoot, setprivArguments } from './user.ts'

/** An ordinary user whom nobody knows by name: another user where root runs the tests, otherwise the user who runs them. */
const ORDINARY_USER = { uid: 65_433, gid: 65_433 }
const main = join(import.meta.dirname, 'main.ts')
const possible = findPlatform() && (!isRoot() || (await canRead(ORDINARY_USER, [process.execPath, main])))

describe.runIf(possible)('an ordinary user', () => {
  let home: string

  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'gatehouse-packages-'))
    if (isRoot()) await chown(home, ORDINARY_USER.uid, ORDINARY_USER.gid)
  })
  afterEach(() => rm(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }))

  /** The local stack as that user, in a home folder of its own, with these settings and no others. */
  function start(settings: Record<string, string>) {
    const node = [process.execPath, main, '--data', join(home, 'data')]
    const [command = '', ...args] = isRoot() ? ['setpriv', ...setprivArguments(ORDINARY_USER), ...node] : node
    const child = spawn(command, args, {
      env: { PATH: process.env.PATH, HOME: home, ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const ended = once(child, 'close')
    return { child, ended }
  }

  test('runs the stack from packages that are there already, as no other user, and ends all of it', deep, async () => {
    await ensurePackages(() => {})
    const { child, ended } = start({ XDG_CACHE_HOME: join(packagesFolder(), '../..') })
    await once(child.stdout, 'data')
    const { processes } = JSON.parse(await readFile(join(home, 'data/stack.json'), 'utf8')) as StackFile
    expect(Object.keys(processes).sort()).toEqual(['mongod', 'nats', 'postgres', 'redis'])
    const { uid } = isRoot() ? ORDINARY_USER : await stat(home)
    for (const { pid } of Object.values(processes)) expect((await stat(`/proc/${pid}`)).uid).toBe(uid)
    for (const file of ['credentials.json', 'nats.conf', 'redis.conf', 'postgres', 'run'])
      expect([file, (await stat(join(home, 'data', file))).mode & 0o077]).toEqual([file, 0])
    child.kill('SIGINT')
    expect(await ended).toEqual([0, null])
    for (const { pid } of Object.values(processes)) expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  })

  test('an unreachable mirror is an error of one sentence; an interrupted fetch starts over', async () => {
    const cache = join(home, '.cache/gatehouse')
    const interrupted = join(cache, `${basename(packagesFolder())}.partial/root`)
    await mkdir(interrupted, { recursive: true })
    if (isRoot())
      for (const folder of [join(home, '.cache'), cache, join(interrupted, '..'), interrupted])
        await chown(folder, ORDINARY_USER.uid, ORDINARY_USER.gid)
    const { child, ended } = start({ DEBIAN_MIRROR: 'http://127.0.0.1:1/debian' })
    let said = ''
    child.stderr.on('data', (chunk) => {
      said += chunk
    })
    expect(await ended).toEqual([1, null])
    expect(said.trim().split('\n').at(-1)).toMatch(
      /^The local servers could not be fetched: Debian's mirror can't be reached \(.*127\.0\.0\.1:1.*\)\.$/,
    )
    expect(await readdir(cache)).toEqual([`${basename(packagesFolder())}.lock`])
  })
})
