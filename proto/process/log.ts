import { type Logger, pino } from 'pino'

/** The structured log of a process: JSON lines. Tokens and personal data have no place in it. */
export type Log = Logger

/** The log of the process called `name`, at `level` (`info`, `warn`, `error`, `debug`, `silent`). */
export function makeLog(name: string, level: string): Log {
  return pino({ name, level, base: { pid: process.pid }, serializers: { err: describeError } })
}

/** What the log says of an error. Nothing that it carries along: a database's error holds the documents it is about. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) }
  const { name, code, stack } = error as Error & { code?: unknown }
  const [message = '', ...frames] = (stack ?? error.message).split('\n')
  return { type: name, message: message.replace(/ dup key: .*/, ''), code, stack: frames.join('\n') }
}
