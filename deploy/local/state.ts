import { existsSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { LocalStackError } from './failure.ts'
import { writePrivate } from './private-files.ts'

/** The URLs of the stack's servers, with credentials. */
export interface StackUrls {
  mongodbUrl: string
  /** For the user of the command line and of tests. */
  natsUrl: string
  redisUrl: string
}

/** The content of `stack.json` while a stack runs; the file may outlive a killed stack. */
export interface StackFile extends StackUrls {
  processes: Record<string, { pid: number; started: string }>
}

/** The file `stack.json`, rewritten whenever a process is started. */
export class StateFile {
  readonly #path: string
  readonly #content: StackFile
  #writing: Promise<void> = Promise.resolve()

  constructor(path: string, urls: StackUrls) {
    this.#path = path
    this.#content = { ...urls, processes: {} }
  }

  set(name: string, pid: number): void {
    this.#writing = this.#writing.then(async () => {
      const started = await startTime(pid)
      if (started === null) return
      this.#content.processes[name] = { pid, started }
      await writePrivate(this.#path, `${JSON.stringify(this.#content, null, 2)}\n`)
    })
  }

  /** Resolves when the file is up to date. */
  async written(): Promise<void> {
    await this.#writing
  }

  async remove(): Promise<void> {
    await this.#writing
    await rm(this.#path, { force: true })
  }
}

/** Waits for the processes of a killed stack, which die with it, and kills the rest. */
export async function endLeftovers(dataDir: string): Promise<void> {
  const path = join(dataDir, 'stack.json')
  if (!existsSync(path)) return
  const processes = await readFile(path, 'utf8').then(
    (text) => (JSON.parse(text) as StackFile).processes,
    () => ({}) as StackFile['processes'],
  )
  const deadline = Date.now() + 10_000
  for (const [name, { pid, started }] of Object.entries(processes))
    for (let tries = 0; (await startTime(pid)) === started; tries++) {
      if (Date.now() > deadline)
        throw new LocalStackError(`${name} of an earlier run (process ${pid}) does not end; kill it.`)
      if (tries === 5) process.kill(pid, name === 'postgres' ? 'SIGQUIT' : 'SIGKILL')
      await sleep(100)
    }
  await rm(path, { force: true })
}

/** The start of a process in ticks since boot, which with the id identifies the process. Null if there is none. */
async function startTime(pid: number): Promise<string | null> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)
  if (text === null) return null
  const [state, ...rest] = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return state === 'Z' ? null : (rest[18] ?? null)
}
