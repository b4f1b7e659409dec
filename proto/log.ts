import { type Logger, pino } from 'pino'

/** The structured log of a process: JSON lines. Tokens and personal data have no place in it. */
export type Log = Logger

/** The log of the process called `name`, at `level` (`info`, `warn`, `error`, `debug`, `silent`). */
export function makeLog(name: string, level: string): Log {
  return pino({
    name,
    level,
    base: { pid: process.pid },
    redact: ['auth_token', '*.auth_token', 'headers.authorization'],
  })
}
