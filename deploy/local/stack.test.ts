import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { deep } from '@gatehouse/test/rounds.ts'
import { MongoClient } from 'mongodb'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findPlatform } from './platform.ts'
import { type Stack, startStack } from './stack.ts'
import type { StackFile } from './state.ts'

/** Of these PostgreSQL answers more than this between two of its ends. */
const WRITES = 100

const main = fileURLToPath(new URL('./main.ts', import.meta.url))

/** Sends text to a server and returns what it answers, up to what is waited for or the end of the connection. */
async function say(url: string, text: string, until: RegExp): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  let heard = ''
  try {
    await once(socket, 'connect')
    socket.write(text)
    for await (const chunk of socket) {
      heard += chunk
      if (until.test(heard)) break
    }
    return heard
  } finally {
    socket.destroy()
  }
}

async function redis(url: string, command: string): Promise<string> {
  const { password } = new URL(url)
  const answers = await say(url, `AUTH ${password}\r\n${command}\r\n`, /\r\n.*\r\n/)
  const answer = answers.slice(answers.indexOf('\r\n') + 2)
  // While it reads its files again it answers LOADING.
  if (answer.startsWith('-')) throw new Error(answer)
  return answer
}
/** The first word of a client of NATS, with the credentials of an address. */
function connectLine(url: string): string {
  const { username: user, password: pass } = new URL(url)
  return `CONNECT ${JSON.stringify(user ? { user, pass } : {})}`
}

const jetStream = (url: string, subject: string, body: string) =>
  say(
    url,
    `${connectLine(url)}\r\nSUB in 1\r\nPUB ${subject} in ${body.length}\r\n${body}\r\n`,
    /MSG in .*\r\n\{.*\}\r\n/s,
  )

/** Retries for as long as a restart may take. */
async function eventually<T>(work: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + 60_000
  while (true)
    try {
      return await work()
    } catch (error) {
      if (Date.now() > deadline) throw error
      await sleep(100)
    }
}

function runs(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

describe.runIf(findPlatform())('the local stack', deep, () => {
  /** Holds `data`, the folder of a stack that was started once: making its database takes longer than any test. */
  let made: string
  let dataDir: string
  const stacks: Stack[] = []
  const children: ChildProcess[] = []

  /** Copies it with its owners, which are users of their own if this one is root. */
  const copyTo = (folder: string) => promisify(execFile)('cp', ['-a', join(made, 'data', '.'), folder])

  beforeAll(async () => {
    made = await mkdtemp(join(tmpdir(), 'gatehouse-stack-'))
    const stack = await startStack({ dataDir: join(made, 'data') })
    await stack.stop()
  })
  afterAll(() => rm(made, { recursive: true, force: true }))

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-stack-'))
    await copyTo(dataDir)
  })
  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL')
    for (const stack of stacks.splice(0)) await stack.stop()
    await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  })

  async function start(): Promise<Stack> {
    const stack = await startStack({ dataDir })
    stacks.push(stack)
    return stack
  }

  /** The stack in a process of its own, with its process ids. */
  async function startAlone(): Promise<{ child: ChildProcess; pids: number[]; mongodbUrl: string }> {
    const child = spawn(process.execPath, [main, '--data', dataDir], {
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    children.push(child)
    await once(child.stdout!, 'data')
    const { processes, mongodbUrl } = JSON.parse(await readFile(join(dataDir, 'stack.json'), 'utf8')) as StackFile
    expect(Object.keys(processes).sort()).toEqual(['mongod', 'nats', 'postgres', 'redis'])
    return { child, pids: Object.values(processes).map(({ pid }) => pid), mongodbUrl }
  }

  async function insert(url: string, _id: string): Promise<void> {
    const client = await MongoClient.connect(url, { serverSelectionTimeoutMS: 60_000 })
    try {
      await client.db('drill').collection<{ _id: string }>('kept').insertOne({ _id })
    } finally {
      await client.close()
    }
  }
  async function kept(url: string): Promise<string[]> {
    const client = await MongoClient.connect(url, { serverSelectionTimeoutMS: 60_000 })
    try {
      return await client.db('drill').collection<{ _id: string }>('kept').distinct('_id')
    } finally {
      await client.close()
    }
  }

  test('a restart finds the same ports and the same data', async () => {
    const { mongodbUrl, natsUrl, redisUrl, stop } = await startStack({ dataDir })
    await insert(mongodbUrl, 'a')
    expect(await redis(redisUrl, 'SET key value')).toBe('+OK\r\n')
    await jetStream(natsUrl, '$JS.API.STREAM.CREATE.S', '{"name":"S","subjects":["s"]}')
    await jetStream(natsUrl, 's', '{"kept":true}')
    expect(JSON.parse(await readFile(join(dataDir, 'stack.json'), 'utf8'))).toMatchObject({
      mongodbUrl,
      natsUrl,
      redisUrl,
    })
    await stop()
    expect(existsSync(join(dataDir, 'stack.json'))).toBe(false)

    const again = await start()
    // With the same passwords too.
    expect(again).toMatchObject({ mongodbUrl, natsUrl, redisUrl })
    expect(await kept(mongodbUrl)).toEqual(['a'])
    expect(await redis(redisUrl, 'GET key')).toContain('$5')
    expect(await jetStream(natsUrl, '$JS.API.STREAM.INFO.S', '')).toContain('"messages":1')
  })

  test('a second stack in the same folder is refused in one sentence, one in another folder runs beside', async () => {
    const first = await start()
    await expect(startStack({ dataDir })).rejects.toThrow(/already running; stop it first/)
    const other = join(dataDir, 'other')
    await copyTo(other)
    // Its ports are those of the first: it takes others.
    const elsewhere = await startStack({ dataDir: other })
    expect(elsewhere.mongodbUrl).not.toBe(first.mongodbUrl)
    stacks.unshift(elsewhere)
    await insert(first.mongodbUrl, 'first')
    await insert(elsewhere.mongodbUrl, 'other')
    expect(await kept(first.mongodbUrl)).toEqual(['first'])
  })

  test('acknowledged writes survive kill -9 of each server, and each restarts by itself', async () => {
    const stack = await start()
    await redis(stack.redisUrl, 'CONFIG SET appendfsync always')
    await jetStream(stack.natsUrl, '$JS.API.STREAM.CREATE.S', '{"name":"S","subjects":["s"]}')
    const expected: string[] = []
    for (const name of ['redis', 'nats', 'postgres', 'mongod']) {
      await insert(stack.mongodbUrl, name)
      expected.push(name)
      await redis(stack.redisUrl, `SET ${name} 1`)
      await jetStream(stack.natsUrl, 's', `{"at":"${name}"}`)
      const pid = stack.processes[name]!
      process.kill(pid, 'SIGKILL')
      await expect.poll(() => stack.processes[name]).toSatisfy((now) => now && now !== pid)
      expect((await eventually(() => kept(stack.mongodbUrl))).sort()).toEqual(expected.toSorted())
      expect(await eventually(() => redis(stack.redisUrl, `EXISTS ${expected.join(' ')}`))).toBe(
        `:${expected.length}\r\n`,
      )
      const info = await eventually(() => jetStream(stack.natsUrl, '$JS.API.STREAM.INFO.S', ''))
      expect(info).toContain(`"messages":${expected.length}`)
    }
  })

  test('while PostgreSQL is away clients get errors, none hangs, and they go on when it is back', async () => {
    const stack = await start()
    const client = await MongoClient.connect(stack.mongodbUrl, { serverSelectionTimeoutMS: 10_000 })
    const items = client.db('drill').collection<{ _id: number }>('stream')
    const answered: number[] = []
    let failed = 0
    let next = 0
    let isOver = false
    const writers = Array.from({ length: 8 }, async () => {
      while (!isOver) {
        const _id = next++
        try {
          await items.insertOne({ _id })
          answered.push(_id)
        } catch {
          failed++
          await sleep(10)
        }
      }
    })
    const more = (now: () => number) => expect.poll(now, { interval: 10 }).toBeGreaterThan(now() + WRITES)
    for (let kill = 0; kill < 3; kill++) {
      await more(() => answered.length)
      const before = failed
      process.kill(stack.processes.postgres!, 'SIGKILL')
      await expect.poll(() => failed).toBeGreaterThan(before)
    }
    await more(() => answered.length)
    isOver = true
    await Promise.all(writers)
    const stored = new Set(await eventually(() => items.distinct('_id')))
    expect(answered.filter((_id) => !stored.has(_id))).toEqual([])
    await client.close()
  })

  test('kill -9 of the supervisor takes every server along, and the next start finds all data', async () => {
    const { child, pids, mongodbUrl } = await startAlone()
    await insert(mongodbUrl, 'before')
    child.kill('SIGKILL')
    await expect.poll(() => pids.filter(runs)).toEqual([])
    expect(existsSync(join(dataDir, 'stack.json'))).toBe(true)

    const again = await start()
    expect(again.mongodbUrl).toBe(mongodbUrl)
    expect(await kept(mongodbUrl)).toEqual(['before'])
  })

  test('a start right after kill -9 waits for dying processes', async () => {
    for (let round = 0; round < 2; round++) {
      const { child } = await startAlone()
      child.kill('SIGKILL')
    }
    const { mongodbUrl } = await start()
    await insert(mongodbUrl, 'after')
    expect(await kept(mongodbUrl)).toEqual(['after'])
  })

  test('Ctrl-C, which reaches the whole process group, ends everything in order', async () => {
    const { child, pids } = await startAlone()
    const exited = once(child, 'exit')
    process.kill(-child.pid!, 'SIGINT')
    expect(await exited).toEqual([0, null])
    expect(pids.filter(runs)).toEqual([])
    expect(existsSync(join(dataDir, 'stack.json'))).toBe(false)
    // PostgreSQL was shut down, not cut off: it says so where it notes how it ended.
    expect(await readFile(join(dataDir, 'logs', 'postgres.log'), 'utf8')).toMatch(/database system is shut down\s*$/)
  })

  test('a process id that another process has by now does not keep PostgreSQL from starting', async () => {
    const first = await startStack({ dataDir })
    await insert(first.mongodbUrl, 'a')
    await first.stop()
    await writeFile(
      join(dataDir, 'postgres', 'postmaster.pid'),
      `${process.pid}\n/proc/self/cwd\n1\n5432\n../run\n\n\nready\n`,
    )
    const { mongodbUrl } = await start()
    expect(await kept(mongodbUrl)).toEqual(['a'])
  })

  test('DocumentDB takes over the session of its last connection, unless that was left inside a transaction', async () => {
    const { mongodbUrl } = await start()
    await using client = await MongoClient.connect(mongodbUrl)
    const scans = client.db('drill').collection<{ _id: number; code: string }>('scans')
    await scans.createIndex({ code: 1 }, { unique: true })
    await scans.insertOne({ _id: 0, code: 'a' })
    for (let _id = 1; _id <= 5; _id++) await expect(scans.insertOne({ _id, code: 'a' })).rejects.toThrow('code_1')

    const run = join(dataDir, 'run')
    const session = async (host: string): Promise<pg.Client> => {
      const opened = new pg.Client({ host, user: 'postgres', database: 'postgres', application_name: 'test' })
      await opened.connect()
      return opened
    }
    const count = "SELECT count(*)::int FROM pg_stat_activity WHERE application_name = 'documentdb-Internal'"
    const direct = await session(run)
    expect((await direct.query(count)).rows).toEqual([{ count: 1 }])
    await direct.end()

    const pids: number[] = []
    for (const last of ['SELECT 1', 'BEGIN', 'SELECT 1']) {
      const pooled = await session(join(run, 'sessions'))
      pids.push((await pooled.query('SELECT pg_backend_pid() pid')).rows[0].pid)
      await pooled.query(last)
      await pooled.end()
    }
    expect(pids[1]).toBe(pids[0])
    expect(pids[2]).not.toBe(pids[0])
  })
})
