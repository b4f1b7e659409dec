import { constants } from 'node:os'

/** Whether and how a long command was interrupted. */
export interface Interruption {
  /** Aborts at the first SIGINT or SIGTERM. */
  signal: AbortSignal
  /** The exit code after that signal, as in shells; undefined before it. */
  readonly exitCode: number | undefined
}

/** Lets the first SIGINT or SIGTERM of this process end all in order, and a second one end it at once. */
export function interruptible(say: (line: string) => void): Interruption {
  const interruption = new AbortController()
  let exitCode: number | undefined
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      if (exitCode !== undefined) process.exit(exitCode)
      exitCode = 128 + constants.signals[signal]
      say(`${signal}: all is ended`)
      interruption.abort(new Error(`interrupted by ${signal}`))
    })
  return {
    signal: interruption.signal,
    get exitCode() {
      return exitCode
    },
  }
}
