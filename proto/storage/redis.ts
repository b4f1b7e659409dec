import { Redis } from 'ioredis'
import type { Log } from '../process/log.ts'

/** The time for a command, in ms: callers do without Redis rather than wait for it. */
const COMMAND_TIMEOUT_MS = 500
/** The longest pause between attempts to connect, for which a change may wait (change-log.ts). */
const MAX_PAUSE_MS = 250

/**
 * A connection to Redis with Lua scripts as commands, for callers which can do without it: while Redis is away each command rejects at once, and
 * the connection is made again in the background. Call `connect` first.
 */
export function redisWith<Commands>(
  url: string,
  scripts: Record<string, { lua: string; numberOfKeys?: number }>,
  log: Log,
): Redis & Commands {
  const redis = new Redis(url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: COMMAND_TIMEOUT_MS,
    connectTimeout: 2_000,
    retryStrategy: (attempt) => Math.min(50 * attempt, MAX_PAUSE_MS),
    scripts,
  })
  redis.on('error', (error: Error) => log.warn({ reason: error.message }, 'redis'))
  return redis as Redis & Commands
}
