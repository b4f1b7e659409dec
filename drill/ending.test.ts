import { type ChildProcess, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { deep } from '@gatehouse/test/rounds.ts'
import { afterEach, describe, expect, test } from 'vitest'
import { runDrill } from './drill.ts'
import { violationsOf } from './report.ts'

/** Signals end a drill within this time, on a machine that does other things too. */
const PROMPTLY_MS = 60_000

/** The processes that a process has started, and those that they have. */
async function descendants(pid: number): Promise<number[]> {
  const own = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')
  const children = own.split(' ').filter(Boolean).map(Number)
  return [...children, ...(await Promise.all(children.map(descendants))).flat()]
}

/** The running processes of these. */
async function alive(pids: number[]): Promise<number[]> {
  const states = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')))
  return pids.filter((_, n) => /\) [^ZX]/.test(states[n] ?? ''))
}

/** Those of these processes that run a file. */
async function running(file: string, pids: number[]): Promise<number[]> {
  const commands = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')))
  return pids.filter((_, n) => commands[n]?.split('\0').includes(file))
}

// Takes a minute.
test(
  'what never comes ends a drill by the deadline of its phase, and is a broken promise with its reason',
  deep,
  async () => {
    const told: string[] = []
    const mine = new Set(await descendants(process.pid))
    const stopped: Promise<void>[] = []
    const outcome = await runDrill({
      seconds: 1,
      seed: 7,
      slack: 3,
      deadlines: { comparing: 8_000 },
      say: (line) => {
        told.push(line)
        if (line.includes('the doors are closed')) stopped.push(stopGateways())
      },
    })
    async function stopGateways(): Promise<void> {
      const own = (await descendants(process.pid)).filter((pid) => !mine.has(pid))
      const gateways = await running('gateway/main.ts', own)
      expect(gateways.length).toBeGreaterThanOrEqual(2)
      for (const gateway of gateways) process.kill(gateway, 'SIGSTOP')
    }
    await Promise.all(stopped)
    expect(stopped).toHaveLength(1)
    const reason = /comparing timed out waiting for the answer to GET \S+access_controls\S+, \d+ s after its beginning/
    expect(violationsOf(outcome!.record, 'finished').join('\n')).toMatch(reason)
    expect(told.join('\n')).toMatch(/comparing: waiting for the answer to GET/)
    const left = (await descendants(process.pid)).filter((pid) => !mine.has(pid))
    expect(await alive(left)).toEqual([])
  },
)

describe('a drill that is interrupted', () => {
  let drill: ChildProcess | undefined
  afterEach(() => void drill?.kill('SIGKILL'))

  const interruptions = [
    ['SIGTERM', 143, 'drill of', ['--seconds', '100']],
    ['SIGINT', 130, 'the doors open', ['--seconds', '100']],
    ['SIGTERM', 143, 'the doors are closed', ['--seconds', '1']],
    ['SIGINT', 130, 'e-mails taken', ['--mail']],
    ['SIGTERM', 143, 'their networks become bad', ['--scanner', '--scanners', '2', '--seconds', '100']],
  ] as const

  test.each(interruptions)(
    'ends at once by %s, with %i and without its children, after "%s"',
    deep,
    async (signal, code, line, options) => {
      const started = spawn(process.execPath, ['drill/main.ts', ...options, '--seed', '7'], {
        cwd: join(import.meta.dirname, '..'),
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      drill = started
      const ended = new Promise<number | null>((resolve) => started.once('exit', resolve))
      const lines = createInterface({ input: started.stdout })
      await new Promise<void>((resolve) => lines.on('line', (told) => told.includes(line) && resolve()))
      await expect.poll(() => descendants(started.pid as number)).not.toEqual([])
      const children = await descendants(started.pid as number)
      const begun = performance.now()
      started.kill(signal)
      expect(await ended).toBe(code)
      expect(performance.now() - begun).toBeLessThan(PROMPTLY_MS)
      await expect.poll(() => alive(children)).toEqual([])
    },
  )
})
