import type { Log } from '@gatehouse/proto/process/log.ts'
import { redisWith } from '@gatehouse/proto/storage/redis.ts'
import type { Redis } from 'ioredis'

/** A guest at a check-in point. */
export interface GuestAtPoint {
  accesspoint_id: string
  guest_uid: string
}

interface LedgerCommands {
  claim(keyCount: number, ...keysAndArguments: (string | number)[]): Promise<number[]>
}

/** Events are over by then; a forgotten uid costs a query. */
const TTL_SECONDS = 30 * 86_400

/*
 * KEYS: the set of uids of each check-in point. ARGV: the number of its point and the uid of each scan.
 * Adds the uids; answers 1 for a uid which was not in the set.
 */
const CLAIM = `
local answers = {}
for i = 1, #ARGV, 2 do
  answers[#answers + 1] = redis.call('SADD', KEYS[tonumber(ARGV[i])], ARGV[i + 1])
end
for _, key in ipairs(KEYS) do redis.call('EXPIRE', key, ${TTL_SECONDS}) end
return answers`

/** How long a command may take before the door goes on without Redis, and how long it then does without. */
const RETRY_AFTER_MS = 1_000

/**
 * The uids which were scanned at each check-in point, in Redis: a fast guess whether a guest is there for the first time. The store
 * confirms it: a new guest has to win the first slot in its unique index, a known one is looked up there. Behind, ahead, empty or
 * away, the ledger costs only time (docs/adr/0003).
 */
export class Ledger {
  readonly #redis: Redis & LedgerCommands
  readonly #namespace: string
  #awayUntil = 0

  constructor(url: string, namespace: string, log: Log) {
    this.#namespace = namespace
    this.#redis = redisWith<LedgerCommands>(url, { claim: { lua: CLAIM } }, log)
  }

  /** Connects in the background: the door works without. */
  async connect(): Promise<void> {
    await this.#redis.connect().catch(() => {})
  }

  async close(): Promise<void> {
    this.#redis.disconnect()
  }

  /** Adds the guests to their points. Gives whether each was new there; undefined while Redis is away. */
  async claim(eventId: string, guestsAtPoints: GuestAtPoint[]): Promise<boolean[] | undefined> {
    if (this.#redis.status !== 'ready' || performance.now() < this.#awayUntil) return undefined
    const points = new Map<string, number>()
    const scans: (string | number)[] = []
    for (const { accesspoint_id, guest_uid } of guestsAtPoints) {
      const number = points.get(accesspoint_id) ?? points.size + 1
      points.set(accesspoint_id, number)
      scans.push(number, guest_uid)
    }
    // The keys of an event share a hash tag, so that one script reaches them in a cluster.
    const keys = [...points.keys()].map((point) => `${this.#namespace}:{${eventId}}:entered:${point}`)
    try {
      const answers = await this.#redis.claim(keys.length, ...keys, ...scans)
      return answers.map((answer) => answer === 1)
    } catch {
      this.#awayUntil = performance.now() + RETRY_AFTER_MS
      return undefined
    }
  }
}
