// @module-tag slow
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Supervised, supervise } from './supervise.ts'

let folder: string
const running: Supervised[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-supervise-'))
})
afterEach(async () => {
  for (const one of running.splice(0)) await one.stop()
  await rm(folder, { recursive: true, force: true })
})

function keep(...what: Parameters<typeof supervise>): Supervised {
  const supervised = supervise(...what)
  running.push(supervised)
  return supervised
}

const shell = (script: string) => ({ command: 'sh', args: ['-c', script] })

test('a process that ends, even by kill -9, is started again under another id', async () => {
  const pids: number[] = []
  const one = keep({ name: 'sleeper', ...shell('exec sleep 100'), onStart: (pid) => pids.push(pid) })
  await one.ready
  for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
    const before = pids.length
    process.kill(one.pid!, signal)
    await expect.poll(() => pids.length).toBe(before + 1)
  }
  expect(new Set(pids).size).toBe(3)
})

test('a process that can’t stay up is given up with its last words', async () => {
  const one = keep({
    name: 'broken',
    ...shell('echo first; echo the port is taken >&2; exit 3'),
    ready: (signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  })
  await expect(one.ready).rejects.toThrow(/broken can't stay up: .*exit code 3.*the port is taken/s)
})

test('a process whose exit code says that its start is hopeless is given up at once, unless it has served', async () => {
  const starts = join(folder, 'starts')
  const script = `echo x >> ${starts}; echo a setting is wrong >&2; exit 2`
  const wrong = keep({ name: 'wrong', ...shell(script), hopelessCode: 2, ready: () => new Promise(() => {}) })
  await expect(wrong.ready).rejects.toThrow("wrong can't start (exit code 2). a setting is wrong")
  expect(await readFile(starts, 'utf8')).toBe('x\n')

  const served = keep({ name: 'served', ...shell(`read line; ${script}`), hopelessCode: 2 })
  await served.ready
  await expect.poll(() => readFile(starts, 'utf8')).toMatch(/^(x\n){3}/)
})

test('a process that ends before it serves is restarted, and one that hangs is killed, even if ready never resolves', async () => {
  const pids: number[] = []
  const one = keep({
    name: 'hanging',
    ...shell('exec sleep 100'),
    onStart: (pid) => pids.push(pid),
    ready: () => new Promise(() => {}),
    readyTimeoutMs: 1_000,
  })
  await expect.poll(() => pids.length).toBe(1)
  process.kill(pids[0]!, 'SIGKILL')
  await expect.poll(() => pids.length).toBeGreaterThanOrEqual(3)
  await one.stop()
})

test('a command that is not there is said, not thrown about', async () => {
  const one = keep({
    name: 'nowhere',
    command: '/nowhere/at/all',
    ready: (signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  })
  await expect(one.ready).rejects.toThrow(/nowhere can't stay up/)
})

test('prepare runs before each start, and may fail', async () => {
  const done: string[] = []
  const one = keep({
    name: 'prepared',
    ...shell('exec sleep 100'),
    prepare: async () => {
      done.push('prepared')
      if (done.length === 1) throw new Error('not yet')
    },
    onStart: () => done.push('started'),
  })
  await one.ready
  process.kill(one.pid!, 'SIGKILL')
  await expect.poll(() => done).toEqual(['prepared', 'prepared', 'started', 'prepared', 'started'])
})

test('a process that is not ready in time is restarted', async () => {
  let starts = 0
  const one = keep({
    name: 'slow',
    ...shell('exec sleep 100'),
    readyTimeoutMs: 200,
    onStart: () => {
      starts++
    },
    ready: async (signal) => {
      while (starts < 3) {
        signal.throwIfAborted()
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
    },
  })
  await one.ready
  expect(starts).toBe(3)
})

test('a stop asks first, waits, and kills a process that ignores it', async () => {
  const file = join(folder, 'asked')
  /** Who has come so far that it hears what it is asked. */
  const hearing: string[] = []
  const onLine = (line: string) => hearing.push(line)
  const polite = keep({
    name: 'polite',
    ...shell(`trap 'echo asked > ${file}; exit 0' TERM; echo polite; while :; do sleep 0.05; done`),
    onLine,
  })
  await expect.poll(() => hearing).toEqual(['polite'])
  await polite.stop()
  expect(await readFile(file, 'utf8')).toBe('asked\n')

  const deaf = keep({
    name: 'deaf',
    ...shell(`trap '' TERM; echo deaf; while :; do sleep 0.05; done`),
    stopTimeoutMs: 300,
    onLine,
  })
  await expect.poll(() => hearing).toEqual(['polite', 'deaf'])
  const { pid } = deaf
  await deaf.stop()
  expect(() => process.kill(pid!, 0)).toThrow('ESRCH')
})

test('after a stop nothing is restarted, not even a process that waits for its next try', async () => {
  const starts = { one: 0, other: 0 }
  const restless = (name: keyof typeof starts): Supervised => {
    const kept = keep({ name, ...shell('exit 1'), onStart: () => starts[name]++ })
    kept.ready.catch(() => {})
    return kept
  }
  const one = restless('one')
  restless('other')
  await expect.poll(() => Math.min(starts.one, starts.other)).toBeGreaterThan(1)
  await one.stop()
  const before = { ...starts }
  // The other one, which is as restless, was tried again meanwhile.
  await expect.poll(() => starts.other).toBeGreaterThan(before.other + 1)
  expect(starts.one).toBe(before.one)
})

test('its lines are handed on, whole', async () => {
  const lines: string[] = []
  const one = keep({
    name: 'talker',
    ...shell('printf "one\\ntwo\\nthr"; printf "ee\\n"; exec sleep 100'),
    onLine: (line) => lines.push(line),
  })
  await one.ready
  await expect.poll(() => lines).toEqual(['one', 'two', 'three'])
})
