import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { boundToParent } from './parent-bound.ts'
import type { User } from './user.ts'

/** The log of a supervisor: a sentence with fields. */
export type SuperviseLog = (message: string, fields: Record<string, unknown>) => void

/** A process to keep running. */
export interface Supervision {
  /** For people and logs. */
  name: string
  command: string
  args?: string[]
  env?: NodeJS.ProcessEnv
  cwd?: string
  /** Its user; needs root and setpriv. Default: that of this process. */
  user?: User | undefined
  /** Runs before each start; a failure counts as one of the process. */
  prepare?: () => Promise<void>
  /** Resolves once the process of this id serves; may poll until `signal` is aborted. Default: ready at once. */
  ready?: (signal: AbortSignal, pid: number) => Promise<void>
  /** In place of `ready`: it serves once it has printed a line with this text. */
  readyLine?: string
  /** A process that is not ready after this is restarted. Default 60 s. */
  readyTimeoutMs?: number
  /** The exit code that says that another start would end the same: with it a process that has never served is given up at once. */
  hopelessCode?: number
  /** Called with each line of its output. */
  onLine?: (line: string) => void
  /** Called with the process id after each start. */
  onStart?: (pid: number) => void
  log?: SuperviseLog
  /** Default SIGTERM. */
  stopSignal?: NodeJS.Signals
  /** It is killed after this. Default 10 s. */
  stopTimeoutMs?: number
}

/** A process that is kept running. */
export interface Supervised {
  name: string
  /** That of the current process. */
  readonly pid: number | undefined
  /** Resolves when it first serves; rejects with {@link CannotStayUpError} after too many failed starts, or a hopeless one. */
  ready: Promise<void>
  /** Resolves when it has ended; it is not started again. */
  stop(): Promise<void>
}

/** A process ended before it served, repeatedly or hopelessly. The message has its last lines. */
class CannotStayUpError extends Error {
  override name = 'CannotStayUpError'
}

const FIRST_PAUSE_MS = 100
const MAX_PAUSE_MS = 5_000
/** A process that ran this long is not a failed start. */
const STEADY_MS = 2_000
const TRIES = 5
const LAST_WORDS = 15

/**
 * Starts a process and restarts it whenever it ends, with growing pauses. It has a session of its own, so that Ctrl-C reaches only the supervisor;
 * on Linux it dies with the supervisor.
 */
export function supervise(supervision: Supervision): Supervised {
  return new Supervisor(supervision)
}

/** How a run of a process ended. */
interface End {
  how: string
  /** Its last lines. */
  words: string[]
  /** Another start would end the same. */
  isHopeless?: boolean
}

class Supervisor implements Supervised {
  readonly #supervision: Supervision
  readonly #log: SuperviseLog
  readonly #stopping = new AbortController()
  readonly #first = Promise.withResolvers<void>()
  readonly #loop: Promise<void>
  #child: ChildProcess | undefined
  #hasServed = false

  constructor(supervision: Supervision) {
    this.#supervision = supervision
    this.#log = supervision.log ?? (() => {})
    this.#first.promise.catch(() => {})
    this.#loop = this.#keepRunning()
  }

  get name(): string {
    return this.#supervision.name
  }

  get ready(): Promise<void> {
    return this.#first.promise
  }

  get pid(): number | undefined {
    return this.#child?.exitCode === null && this.#child.signalCode === null ? this.#child.pid : undefined
  }

  async stop(): Promise<void> {
    const { stopSignal = 'SIGTERM', stopTimeoutMs = 10_000 } = this.#supervision
    this.#stopping.abort()
    this.#first.reject(new CannotStayUpError(`${this.name} was stopped before it served`))
    if (this.#child) kill(this.#child, stopSignal)
    const late = setTimeout(() => {
      this.#log(`${this.name} does not stop; killing it`, { process: this.name, pid: this.#child?.pid })
      if (this.#child) kill(this.#child, 'SIGKILL')
    }, stopTimeoutMs)
    await this.#loop
    clearTimeout(late)
  }

  async #keepRunning(): Promise<void> {
    for (let failures = 0; ; ) {
      const started = performance.now()
      const { how, words, isHopeless } = await this.#run()
      if (this.#stopping.signal.aborted) return
      failures = performance.now() - started > STEADY_MS ? 1 : failures + 1
      this.#log(`${this.name} ended: ${how}`, { process: this.name, failures, last: words.slice(-3) })
      if (!this.#hasServed && (isHopeless || failures >= TRIES)) {
        const outcome = isHopeless ? `can't start` : `can't stay up: it ended ${TRIES} times`
        this.#first.reject(new CannotStayUpError(`${this.name} ${outcome} (${how}). ${words.join(' | ')}`.trim()))
        return
      }
      if (failures === TRIES) {
        const message = `${this.name} can't stay up; trying on every ${MAX_PAUSE_MS / 1000} s`
        this.#log(message, { process: this.name, last: words })
      }
      const pause = Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), MAX_PAUSE_MS)
      await sleep(pause, undefined, { signal: this.#stopping.signal }).catch(() => {})
      if (this.#stopping.signal.aborted) return
    }
  }

  /** Runs the process once. */
  async #run(): Promise<End> {
    const { prepare, args: given = [], command: program, user, env, cwd, onStart, hopelessCode } = this.#supervision
    const words: string[] = []
    try {
      await prepare?.()
    } catch (error) {
      return { how: 'could not be prepared', words: [String(error)] }
    }
    if (this.#stopping.signal.aborted) return { how: 'was not started', words }
    const { command, args } = boundToParent(program, given, user)
    const child = spawn(command, args, {
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(env && { env }),
      ...(cwd && { cwd }),
    })
    this.#child = child
    const ended = new Promise<string>((resolve) => {
      child.once('error', (error) => resolve(error.message))
      child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`))
    })
    const closed = new Promise((resolve) => child.once('close', resolve))
    const hasSaid = this.#hear(child, words)
    if (child.pid === undefined) return { how: await ended, words }
    onStart?.(child.pid)
    const gone = new AbortController()
    const serving = this.#awaitReady(child.pid, hasSaid, gone.signal).catch(({ message }: Error) => {
      words.push(message)
      kill(child, 'SIGKILL')
    })
    const how = await ended
    gone.abort()
    await serving
    const isHopeless = hopelessCode !== undefined && child.exitCode === hopelessCode
    // Its last lines, which say why, may come after its end.
    if (isHopeless) await closed
    return { how, words, isHopeless }
  }

  /** Passes the process's lines on, and keeps the last of them in `words`. Resolves once it has printed `readyLine`. */
  #hear(child: ChildProcess, words: string[]): Promise<void> {
    const { readyLine, onLine } = this.#supervision
    const said = Promise.withResolvers<void>()
    for (const stream of [child.stdout, child.stderr])
      if (stream)
        createInterface({ input: stream }).on('line', (line) => {
          words.push(line)
          if (words.length > LAST_WORDS) words.shift()
          if (readyLine && line.includes(readyLine)) said.resolve()
          onLine?.(line)
        })
    return said.promise
  }

  /** Resolves once the process serves, or has `gone`; rejects with a sentence if it is not ready in time. */
  async #awaitReady(pid: number, hasSaid: Promise<void>, gone: AbortSignal): Promise<void> {
    const { readyLine, ready, readyTimeoutMs = 60_000 } = this.#supervision
    const started = performance.now()
    const over = AbortSignal.any([gone, AbortSignal.timeout(readyTimeoutMs)])
    try {
      await Promise.race([readyLine ? hasSaid : ready?.(over, pid), rejectionBy(over)])
    } catch (error) {
      if (gone.aborted) return
      throw new Error(`not ready after ${readyTimeoutMs} ms: ${error instanceof Error ? error.message : String(error)}`)
    }
    if (gone.aborted) return
    this.#hasServed = true
    this.#first.resolve()
    this.#log(`${this.name} is ready`, { process: this.name, pid, ms: Math.round(performance.now() - started) })
  }
}

/** Rejects when the signal is aborted, even if the work ignores it. */
function rejectionBy(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>()
  promise.catch(() => {})
  signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  return promise
}

function kill(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  try {
    // SIGKILL goes to the whole group, so that no worker is left behind.
    process.kill(signal === 'SIGKILL' ? -child.pid : child.pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
