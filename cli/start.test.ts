import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { reservePort } from '@gatehouse/local/ports'
import { familyOf } from '@gatehouse/test/load/processes.ts'
import { deep } from '@gatehouse/test/rounds.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const FIRST_START_S = 30
const IDLE_MB = 500
/** Sessions of the database that nothing uses have ended by then. */
const IDLE_MS = 90_000

/** The memory of processes in MB, of which each has its share of what several use. */
async function sharesOf(pids: number[]): Promise<number> {
  const texts = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')))
  return texts.reduce((sum, text) => sum + Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1] ?? 0) * 1_024, 0) / 1e6
}

// It measures, so `npm run test:deep` alone runs it, while nothing else runs. Takes two minutes and a half.
describe('the whole system with its own stores', deep, () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-start-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  /** Starts it in an empty environment, as `npm start` does, and calls `use` with its process and the seconds until it was ready. */
  async function started(use: (pid: number, seconds: number) => Promise<void>): Promise<void> {
    const began = performance.now()
    const running = spawn(process.execPath, [join(import.meta.dirname, 'main.ts'), 'up'], {
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        GATEHOUSE_DATA: join(folder, 'data'),
        NODE_COMPILE_CACHE: join(folder, 'cache'),
        PORT: String(await reservePort()),
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const ended = once(running, 'exit')
    try {
      for await (const chunk of running.stderr.setEncoding('utf8')) if (chunk.includes('Gatehouse is ready at')) break
      await use(running.pid as number, (performance.now() - began) / 1_000)
    } finally {
      running.kill('SIGTERM')
      await ended
    }
  }

  test(`is ready within ${FIRST_START_S} s on its first start, its packages downloaded`, async () => {
    await started(async (_, seconds) => {
      console.log(`first start: ${seconds.toFixed(1)} s`)
      expect(seconds).toBeLessThan(FIRST_START_S)
    })
  })

  test(`takes less than ${IDLE_MB} MB while it has nothing to do`, async () => {
    await started(async (pid) => {
      await sleep(IDLE_MS)
      const megabytes = await sharesOf(familyOf(pid))
      console.log(`idle: ${megabytes.toFixed(0)} MB`)
      expect(megabytes).toBeLessThan(IDLE_MB)
    })
  })
})
