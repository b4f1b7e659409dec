import type { Log } from '@gatehouse/proto/process/log.ts'
import { type EventChange, READ_CHANGES } from '@gatehouse/proto/storage/change-log.ts'
import { changeLogKeys } from '@gatehouse/proto/storage/change-log-keys.ts'
import { growingCache } from '@gatehouse/proto/storage/growing-cache.ts'
import {
  closeRedis,
  connectFor,
  onOtherConnection,
  type RedisConnection,
  redisWith,
} from '@gatehouse/proto/storage/redis.ts'

/** A guest at a check-in point. */
export interface GuestAtPoint {
  accesspoint_id: string
  guest_uid: string
}

/** What Redis knows of an event. */
export interface Claimed {
  /** Whether each guest was new at its point. */
  isNew: boolean[]
  /** What has changed since the last call about the event. */
  changes: EventChange[]
  /** False if more has changed. */
  isComplete: boolean
}

interface LedgerCommands {
  claim(
    keyCount: number,
    ...keysAndArguments: (string | number)[]
  ): Promise<[version: string, changes: string[], complete: number, answers: number[]]>
}

/** Events are over by then; a forgotten uid costs a query. */
const TTL_SECONDS = 30 * 86_400
const MAX_EVENTS = 1_000

/*
 * KEYS: the event's version and changes, and the set of uids of each check-in point. ARGV: the version that is known here, and the number of its
 * point and the uid of each scan. Adds the uids; answers 1 for a uid that was not in the set.
 */
const CLAIM = `${READ_CHANGES}
local answers = {}
for i = 2, #ARGV, 2 do
  answers[#answers + 1] = redis.call('SADD', KEYS[2 + ARGV[i]], ARGV[i + 1])
end
for i = 3, #KEYS do redis.call('EXPIRE', KEYS[i], ${TTL_SECONDS}) end
return {version, changes, complete, answers}`

/** How long a command may take before the door goes on without Redis, and how long it then does without. */
const RETRY_AFTER_MS = 1_000

/**
 * What the door reads from Redis, in one script call for a flush: which guests are at their points for the first time, and what has changed of
 * the event.
 *
 * The uids that were scanned at each check-in point are a fast guess. The store confirms it: a new guest has to win the first slot in its unique
 * index, a known one is looked up there. Behind, ahead, empty or away, they cost only time (docs/adr/0003).
 *
 * The changes are those that were answered before (docs/adr/0003), as long as one connection lasts: another one may lead to a Redis that
 * lacks some.
 */
export class Ledger {
  readonly #redis: RedisConnection & LedgerCommands
  readonly #namespace: string
  /** The last known version of each event. */
  readonly #versions = growingCache<string>(MAX_EVENTS)
  /** Counts connections. */
  #connections = 0
  #awayUntil = 0

  constructor(url: string, namespace: string, log: Log) {
    this.#namespace = namespace
    this.#redis = redisWith<LedgerCommands>(url, { claim: { lua: CLAIM } }, log)
    onOtherConnection(this.#redis, () => {
      this.#connections++
      this.#versions.clear()
    })
  }

  /** Connects in the background: the door works without. */
  async connect(): Promise<void> {
    await connectFor(this.#redis)
  }

  async close(): Promise<void> {
    closeRedis(this.#redis)
  }

  /** Removes guests from their points, which costs a later scan only time. Throws if Redis is away. */
  async forget(eventId: string, guestsAtPoints: GuestAtPoint[]): Promise<void> {
    const byPoint = Map.groupBy(guestsAtPoints, ({ accesspoint_id }) => accesspoint_id)
    for (const [point, guests] of byPoint) {
      await this.#redis.srem(
        this.#key(eventId, point),
        guests.map(({ guest_uid }) => guest_uid),
      )
    }
  }

  /** Removes all that is known of an event with these points. Throws if Redis is away. */
  async forgetEvent(eventId: string, points: readonly string[]): Promise<void> {
    const keys = [...changeLogKeys(this.#namespace, eventId), ...points.map((point) => this.#key(eventId, point))]
    await this.#redis.del(...keys)
  }

  /** Adds the guests to their points, and reads the changes of the event; undefined while Redis is away. */
  async claim(eventId: string, guestsAtPoints: GuestAtPoint[]): Promise<Claimed | undefined> {
    if (this.#redis.status !== 'ready' || performance.now() < this.#awayUntil) return undefined
    const points = new Map<string, number>()
    const scans: (string | number)[] = []
    for (const { accesspoint_id, guest_uid } of guestsAtPoints) {
      scans.push(points.getOrInsert(accesspoint_id, points.size + 1), guest_uid)
    }
    const keys: string[] = changeLogKeys(this.#namespace, eventId)
    for (const point of points.keys()) keys.push(this.#key(eventId, point))
    const known = this.#versions.get(eventId) ?? ''
    const connections = this.#connections
    try {
      const [version, changes, complete, answers] = await this.#redis.claim(keys.length, ...keys, known, ...scans)
      const isSameConnection = connections === this.#connections
      if (isSameConnection) this.#versions.set(eventId, version)
      return {
        isNew: answers.map((answer) => answer === 1),
        changes: changes.map((change) => JSON.parse(change) as EventChange),
        isComplete: complete === 1 && isSameConnection,
      }
    } catch {
      this.#awayUntil = performance.now() + RETRY_AFTER_MS
      return undefined
    }
  }

  #key(eventId: string, point: string): string {
    return `${this.#namespace}:{${eventId}}:entered:${point}`
  }
}
