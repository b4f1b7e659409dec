import { setTimeout as sleep } from 'node:timers/promises'
import { unavailable } from '../declaring/faults.ts'
import type { Log } from '../process/log.ts'
import { changeLogKeys } from './change-log-keys.ts'
import { closeRedis, connectFor, isSingle, type RedisConnection, redisWith } from './redis.ts'

/**
 * A change that the door must see: of an event's check-in points and links, or of guests with these uids. With `leaving` the guests are about to
 * lose the uids.
 */
export type EventChange = { rights: true } | { uids: string[]; leaving?: true }

/** What came of an attempt to connect. */
type ConnectionResult = 'reached' | 'down'

interface LogCommands {
  addChange(versionKey: string, changesKey: string, change: string): Promise<unknown>
}

/** Changes of an event that are kept. Who is further behind has to forget everything about the event. */
const KEPT = 500
/** Events are over by then. */
const TTL_SECONDS = 30 * 86_400
/** How long a change waits for Redis. */
const TIMEOUT_MS = 2_000
const RETRY_MS = 20

/*
 * The version of an event (KEYS[1]) counts its changes, the last of which are in a list (KEYS[2]). It begins with the time in microseconds: after
 * a loss of data no version comes a second time.
 */
const BEGIN = `
if redis.call('EXISTS', KEYS[1]) == 0 then
  local now = redis.call('TIME')
  redis.call('SET', KEYS[1], now[1] .. string.format('%06d', now[2]))
  redis.call('DEL', KEYS[2])
end`

const ADD_CHANGE = `${BEGIN}
redis.call('INCR', KEYS[1])
redis.call('RPUSH', KEYS[2], ARGV[1])
redis.call('LTRIM', KEYS[2], -${KEPT}, -1)
for _, key in ipairs(KEYS) do redis.call('EXPIRE', key, ${TTL_SECONDS}) end`

/**
 * Lua that reads the version of an event into `version`, and the changes since the version ARGV[1] into `changes`; `complete` is 0 if there
 * were more. It writes, so that a replica refuses it, whose version may be old.
 */
export const READ_CHANGES = `${BEGIN}
redis.call('EXPIRE', KEYS[1], ${TTL_SECONDS})
local version, changes, complete = redis.call('GET', KEYS[1]), {}, 1
if version ~= ARGV[1] then
  local behind = version - (tonumber(ARGV[1]) or 0)
  if behind < 0 or behind > redis.call('LLEN', KEYS[2]) then complete = 0 end
  changes = redis.call('LRANGE', KEYS[2], complete == 1 and -behind or 0, -1)
end`

/**
 * The changes of each event in their order, in Redis, where the door reads them with each flush (docs/adr/0003). A change is added after it is
 * stored and before it is answered.
 *
 * Without Redis changes are answered too: the door then believes no cache, and forgets its caches before it uses Redis again. So a change
 * need not be added if Redis was down at some time after it was stored: an attempt to connect is refused. Where that can't be known, a change
 * waits for two seconds.
 */
export class ChangeLog {
  readonly #redis: RedisConnection & LogCommands
  readonly #namespace: string
  readonly #log: Log
  #nextAttempt = Promise.withResolvers<ConnectionResult>()

  constructor(url: string, namespace: string, log: Log) {
    this.#namespace = namespace
    this.#log = log
    this.#redis = redisWith<LogCommands>(url, { addChange: { lua: ADD_CHANGE, numberOfKeys: 2 } }, log)
    this.#watchAttempts()
  }

  /** Connects in the background. */
  async connect(): Promise<void> {
    await connectFor(this.#redis)
  }

  async close(): Promise<void> {
    closeRedis(this.#redis)
  }

  /** Waits for a write and adds its change, even if it failed or changed nothing: it is unknown then what this or an earlier try has stored. */
  async adding<T>(eventId: string, change: EventChange, write: Promise<T>): Promise<T> {
    try {
      return await write
    } finally {
      await this.add(eventId, change)
    }
  }

  /** Adds a change that is stored. Throws `unavailable` if Redis is there and does not answer: doors may use it. */
  async add(eventId: string, change: EventChange): Promise<void> {
    const keys = changeLogKeys(this.#namespace, eventId)
    const until = performance.now() + TIMEOUT_MS
    while (performance.now() < until) {
      if (this.#redis.status !== 'ready') {
        const outcome = await this.#outcomeUntil(until)
        if (outcome === 'reached') continue
        if (outcome === 'late')
          this.#log.warn({ event_id: eventId }, 'doors that reach Redis may see a change up to a minute late')
        return
      }
      try {
        await this.#redis.addChange(...keys, JSON.stringify(change))
        return
      } catch (error) {
        if (isRefusal(error) && (await this.#forget(keys))) return
        // A connection that has just broken rejects at once, and its end comes only in a later turn.
        await sleep(RETRY_MS)
      }
    }
    throw unavailable()
  }

  /** What comes of the next attempt to connect; `late` if that is not known until then. */
  async #outcomeUntil(until: number): Promise<ConnectionResult | 'late'> {
    const over = new AbortController()
    const late = sleep(Math.max(0, until - performance.now()), 'late' as const, { signal: over.signal })
    try {
      return await Promise.race([this.#nextAttempt.promise, late])
    } finally {
      over.abort()
      late.catch(() => {})
    }
  }

  #watchAttempts(): void {
    let attempt = this.#nextAttempt
    let isDown = false
    const fail = () => attempt.resolve(isDown ? 'down' : this.#nextAttempt.promise)
    this.#redis
      // An attempt that is under way does not count for those who wait: it may have failed before their change was stored.
      .on('connecting', () => {
        isDown = false
        attempt = this.#nextAttempt
        this.#nextAttempt = Promise.withResolvers()
      })
      .on('error', (error: Error & { code?: string }) => {
        // Of several servers another one may be there, and any other error may be a trouble of this process alone.
        isDown = error.code === 'ECONNREFUSED' && isSingle(this.#redis)
      })
      .on('close', fail)
      // An attempt that is given up (redis.ts) closes nothing.
      .on('end', fail)
      .on('ready', () => {
        attempt.resolve('reached')
        this.#nextAttempt.resolve('reached')
        this.#nextAttempt = Promise.withResolvers()
      })
  }

  /** Deletes the log of an event. A Redis whose memory is full takes no change, but this; the door then forgets everything about the event. */
  async #forget(keys: string[]): Promise<boolean> {
    try {
      await this.#redis.del(...keys)
      return true
    } catch (error) {
      // What takes no deletion is a replica, or lacks its own: it refuses the door too.
      return isRefusal(error)
    }
  }
}

/** Whether Redis has answered with an error. */
function isRefusal(error: unknown): boolean {
  return error instanceof Error && error.name === 'ReplyError'
}
