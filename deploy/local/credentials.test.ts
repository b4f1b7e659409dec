// @module-tag slow
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { connectBus } from '@gatehouse/proto/bus/connecting.ts'
import { makeLog } from '@gatehouse/proto/process/log.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type StackPasswords, takeCredentials } from './credentials.ts'
import { type Stack, startStack } from './stack.ts'
import { canRead, setprivArguments } from './user.ts'

/** Another user of this machine: `nobody`. */
const STRANGER = { uid: 65_534, gid: 65_534 }
const root = join(import.meta.dirname, '../..')
const possible =
  process.platform === 'linux' &&
  process.getuid?.() === 0 &&
  (await canRead(STRANGER, [process.execPath, import.meta.filename]))

/** Returns what a module's code, run as the stranger, prints as JSON. It finds `input` in a variable of this name. */
async function asStranger<T>(code: string, input: unknown): Promise<T> {
  const script = `import { readFileSync } from 'node:fs'\nconst input = JSON.parse(readFileSync(0))\n${code}`
  const node = [process.execPath, '--input-type=module', '--eval', script]
  const running = promisify(execFile)('setpriv', [...setprivArguments(STRANGER), ...node], { cwd: root })
  running.child.stdin?.end(JSON.stringify(input))
  return JSON.parse((await running).stdout) as T
}

/** Uses the server of each address, and returns the outcome. */
const KNOCK = `
import { connect } from '@nats-io/transport-node'
import { Redis } from 'ioredis'
import { MongoClient } from 'mongodb'
const knocks = {
  nats: async (url) => {
    const { host, username: user, password: pass } = new URL(url)
    const nats = await connect({ servers: host, reconnect: false, ...(user && { user, pass }) })
    nats.publish('gatehouse.sso.tokens.create', '{}\\n{"name":"mine","scope":"admin"}')
    await nats.flush()
    await nats.close()
  },
  redis: async (url) => {
    const redis = new Redis(url, { retryStrategy: null, maxRetriesPerRequest: 0, enableReadyCheck: false })
    redis.on('error', () => {})
    await redis.get('key').finally(() => redis.disconnect())
  },
  mongodb: async (url) => {
    const mongo = new MongoClient(url, { serverSelectionTimeoutMS: 10_000 })
    await mongo.db('gatehouse_sso').collection('tokens').findOne().finally(() => mongo.close())
  },
}
const outcomes = await Promise.all(input.map(({ server, url }) =>
  knocks[server](url).then(() => 'let in', (error) => error.message)))
console.log(JSON.stringify(outcomes))
`

test('a file of a version without users of MongoDB and Redis gets them, and keeps what it has', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-credentials-'))
  const file = join(folder, 'credentials.json')
  const before = { nats: { cli: 'a' }, redis: 'b', mongodb: 'c' }
  await writeFile(file, JSON.stringify(before))
  const users = { mongodb: { guests: 'gatehouse_guests' }, redis: { mail: ['gatehouse:{mail}:*'] } }
  const password = expect.stringMatching(/^[0-9a-f]{64}$/)
  const wanted = { ...before, mongodbUsers: { guests: password }, redisUsers: { mail: password } }
  const first = await takeCredentials(file, ['cli'], users)
  expect(first).toEqual(wanted)
  expect(await takeCredentials(file, ['cli'], users)).toEqual(first)
  await rm(folder, { recursive: true })
})

test('passwords are generated once, later for new users, and again after their file is deleted; only the owner can read it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-credentials-'))
  const file = join(folder, 'credentials.json')
  const first = await takeCredentials(file, ['cli'])
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  const second = await takeCredentials(file, ['cli', 'gateway'])
  expect(second).toEqual({ ...first, nats: { ...first.nats, gateway: expect.stringMatching(/^[0-9a-f]{64}$/) } })
  await rm(file)
  const third = await takeCredentials(file, ['cli'])
  for (const password of [first.redis, first.mongodb, first.nats.cli])
    expect(JSON.stringify(third)).not.toContain(password)
  await writeFile(file, `"${first.redis}`)
  const damaged = await takeCredentials(file, ['cli']).catch((error: Error) => error)
  expect(damaged).toMatchObject({ message: `${file} is damaged: delete it, the next start makes other passwords.` })
  await rm(folder, { recursive: true })
})

describe.skipIf(!possible)("what another user of this machine can do with the stack's servers", () => {
  let stack: Stack
  let dataDir: string
  let credentials: StackPasswords
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-credentials-'))
    stack = await startStack({ dataDir, throwAway: true, natsUsers: { cli: undefined, gateway: undefined } })
    credentials = JSON.parse(await readFile(join(dataDir, 'credentials.json'), 'utf8'))
  })
  afterAll(() => stack?.stop())

  test('a client is let in by each with the credentials, and refused without and with a wrong password', async () => {
    const urls = { nats: stack.natsUrl, redis: stack.redisUrl, mongodb: stack.mongodbUrl }
    const changed = (change: (address: URL) => void) =>
      Object.entries(urls).map(([server, given]) => {
        const address = new URL(given)
        change(address)
        return { server, url: address.href }
      })
    const without = changed((address) => {
      address.username = ''
      address.password = ''
    })
    const withWrong = changed((address) => {
      address.password = 'f'.repeat(64)
    })
    const right = changed(() => {})
    // One process: each has to load the clients of all three.
    const outcomes = await asStranger<string[]>(KNOCK, [...without, ...withWrong, ...right])
    expect(outcomes).toEqual(
      [
        ...[/Authorization Violation/, /NOAUTH/, /requires authentication/],
        ...[/Authorization Violation/, /WRONGPASS/, /Authentication failed/],
        ...[/^let in$/, /^let in$/, /^let in$/],
      ].map((outcome) => expect.stringMatching(outcome)),
    )
  })

  test('no file and no folder of GATEHOUSE_DATA can be read', async () => {
    const inside = await readdir(dataDir, { recursive: true })
    expect(inside).toEqual(expect.arrayContaining(['credentials.json', 'stack.json', 'nats.conf', 'redis.conf']))
    const readable = `
import { accessSync, constants } from 'node:fs'
const isReadable = (path) => {
  try {
    accessSync(path, constants.R_OK)
    return true
  } catch {
    return false
  }
}
console.log(JSON.stringify(input.filter(isReadable)))`
    const paths = inside.map((name) => join(dataDir, name))
    expect(await asStranger(readable, [dataDir, ...paths, '/etc/passwd'])).toEqual(['/etc/passwd'])
  })

  test("PostgreSQL's socket cannot be reached", async () => {
    const path = join(dataDir, 'run/.s.PGSQL.5432')
    const reach = `
import { once } from 'node:events'
import { connect } from 'node:net'
const outcome = await once(connect(input), 'connect').then(() => 'let in', ({ code }) => code)
console.log(JSON.stringify(outcome))`
    expect(await asStranger(reach, path)).toBe('EACCES')
  })

  test('no command line of any process holds a password', async () => {
    const pids = (await readdir('/proc')).filter((name) => Number(name) > 0)
    const lines = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')))
    expect(lines.join('\n')).toContain('redis-server')
    const { nats, redis, mongodb } = credentials
    for (const password of [...Object.values(nats), redis, mongodb]) expect(lines.join('\n')).not.toContain(password)
  })

  test('each user of NATS has its own password, and a refusal does not reveal the address', async () => {
    const passwords = Object.values(credentials.nats)
    expect(Object.keys(credentials.nats).sort()).toEqual(['cli', 'gateway'])
    expect(new Set([...passwords, credentials.redis, credentials.mongodb]).size).toBe(4)
    const log = makeLog('test', 'silent')
    const reach = { namespace: 'test', name: 'test', log }
    const bus = await connectBus({ ...reach, servers: stack.natsUrlOf('gateway') })
    await bus.stop()
    const exchanged = stack.natsUrlOf('gateway').replace('gateway', 'cli')
    const refusal = await connectBus({ ...reach, servers: exchanged }).catch((error: Error) => error)
    expect(refusal).toMatchObject({ message: 'NATS rejects the credentials in NATS_URL; correct them' })
    expect(String((refusal as Error).stack)).not.toContain(passwords[0])
  })
})
