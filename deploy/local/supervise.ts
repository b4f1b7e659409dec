import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { tied } from './tied.ts'
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
export function supervise(what: Supervision): Supervised {
  const { name, log = () => {}, stopSignal = 'SIGTERM', stopTimeoutMs = 10_000, readyTimeoutMs = 60_000 } = what
  const stopping = new AbortController()
  const first = Promise.withResolvers<void>()
  first.promise.catch(() => {})
  let child: ChildProcess | undefined
  let served = false
  let failures = 0

  /** Runs it once; returns its end, its last lines, and whether another start would end the same. */
  async function run(): Promise<{ end: string; words: string[]; hopeless?: boolean }> {
    const words: string[] = []
    try {
      await what.prepare?.()
    } catch (error) {
      return { end: 'could not be prepared', words: [String(error)] }
    }
    if (stopping.signal.aborted) return { end: 'was not started', words }
    const started = performance.now()
    const { command, args } = tied(what.command, what.args ?? [], what.user)
    child = spawn(command, args, {
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(what.env && { env: what.env }),
      ...(what.cwd && { cwd: what.cwd }),
    })
    const running = child
    const { pid } = running
    const ended = new Promise<string>((resolve) => {
      running.once('error', (error) => resolve(error.message))
      running.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`))
    })
    const closed = new Promise((resolve) => running.once('close', resolve))
    const said = Promise.withResolvers<void>()
    for (const stream of [running.stdout, running.stderr])
      if (stream)
        createInterface({ input: stream }).on('line', (line) => {
          words.push(line)
          if (words.length > LAST_WORDS) words.shift()
          if (what.readyLine && line.includes(what.readyLine)) said.resolve()
          what.onLine?.(line)
        })
    if (pid === undefined) return { end: await ended, words }
    what.onStart?.(pid)

    const gone = new AbortController()
    const serving = (async () => {
      const over = AbortSignal.any([gone.signal, AbortSignal.timeout(readyTimeoutMs)])
      await Promise.race([what.readyLine ? said.promise : what.ready?.(over, pid), rejectionBy(over)])
      if (gone.signal.aborted) return
      served = true
      first.resolve()
      log(`${name} is ready`, { process: name, pid, ms: Math.round(performance.now() - started) })
    })().catch((error: unknown) => {
      if (gone.signal.aborted) return
      words.push(`not ready after ${readyTimeoutMs} ms: ${error instanceof Error ? error.message : String(error)}`)
      kill(running, 'SIGKILL')
    })
    const end = await ended
    gone.abort()
    await serving
    const hopeless = what.hopelessCode !== undefined && running.exitCode === what.hopelessCode
    // Its last lines, which say why, may come after its end.
    if (hopeless) await closed
    return { end, words, hopeless }
  }

  const loop = (async () => {
    while (true) {
      const started = performance.now()
      const { end, words, hopeless } = await run()
      if (stopping.signal.aborted) return
      failures = performance.now() - started > STEADY_MS ? 1 : failures + 1
      log(`${name} ended: ${end}`, { process: name, failures, last: words.slice(-3) })
      if (!served && (hopeless || failures >= TRIES)) {
        const outcome = hopeless ? `can't start` : `can't stay up: it ended ${TRIES} times`
        first.reject(new CannotStayUpError(`${name} ${outcome} (${end}). ${words.join(' | ')}`.trim()))
        return
      }
      if (failures === TRIES)
        log(`${name} can't stay up; trying on every ${MAX_PAUSE_MS / 1000} s`, { process: name, last: words })
      const pause = Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), MAX_PAUSE_MS)
      await sleep(pause, undefined, { signal: stopping.signal }).catch(() => {})
      if (stopping.signal.aborted) return
    }
  })()

  return {
    name,
    get pid() {
      return child?.exitCode === null && child.signalCode === null ? child.pid : undefined
    },
    ready: first.promise,
    stop: async () => {
      stopping.abort()
      first.reject(new CannotStayUpError(`${name} was stopped before it served`))
      if (child) kill(child, stopSignal)
      const late = setTimeout(() => {
        log(`${name} does not stop; killing it`, { process: name, pid: child?.pid })
        if (child) kill(child, 'SIGKILL')
      }, stopTimeoutMs)
      await loop
      clearTimeout(late)
    },
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
