import { randomUUID } from 'node:crypto'
import type { Log } from '@gatehouse/proto/log.ts'
import { Redis } from 'ioredis'
import { NO_LIMIT } from './decision.ts'

/** What a scan asks of the ledger. */
export interface Request {
  accesspoint_id: string
  guest_uid: string
  /** NO_LIMIT or the number of check-ins allowed. */
  limit: number
}

/** What the ledger says: a slot, `free` for a scan without limit, `full`, or `unsure`, when only the store can tell. */
export type Verdict = number | 'free' | 'full' | 'unsure'

interface LedgerCommands {
  /** Decides all scans of an event at once; null when the counters are not of this server's life. */
  decide(keyCount: number, ...keysAndArguments: (string | number)[]): Promise<number[] | null>
  /** Gives a slot back. */
  giveBack(key: string, uid: string, slot: number): Promise<number>
  /** Says that the counters of an event are complete, if they were being rebuilt under this very lock. */
  finish(epochKey: string, lockKey: string, token: string, epoch: string): Promise<number>
}

const FREE = -1
const UNSURE = -2

/*
 * KEYS: the epoch, then for each check-in point its hash of slots and its set of uids that entered without a limit.
 * ARGV: the epoch that the caller expects, then for each scan its point's number, its uid and its limit.
 */
const DECIDE = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return false end
local verdicts = {}
local hasOpen = {}
for i = 2, #ARGV, 3 do
  local point = tonumber(ARGV[i])
  local slotsKey, openKey = KEYS[point * 2], KEYS[point * 2 + 1]
  local uid, limit = ARGV[i + 1], tonumber(ARGV[i + 2])
  local verdict
  if limit < 0 then
    redis.call('SADD', openKey, uid)
    hasOpen[point] = 1
    verdict = ${FREE}
  else
    if hasOpen[point] == nil then hasOpen[point] = redis.call('EXISTS', openKey) end
    if hasOpen[point] == 1 and redis.call('SISMEMBER', openKey, uid) == 1 then
      verdict = ${UNSURE}
    else
      local held = redis.call('HGET', slotsKey, uid)
      if not held then
        if limit > 0 then redis.call('HSET', slotsKey, uid, '1') verdict = 1 else verdict = 0 end
      else
        local taken, count = {}, 0
        for slot in string.gmatch(held, '%d+') do taken[tonumber(slot)] = true count = count + 1 end
        if count >= limit then
          verdict = 0
        else
          local slot = 1
          while taken[slot] do slot = slot + 1 end
          redis.call('HSET', slotsKey, uid, count == 0 and slot or (held .. ',' .. slot))
          verdict = slot
        end
      end
    end
  end
  verdicts[#verdicts + 1] = verdict
end
return verdicts`

const GIVE_BACK = `
local held = redis.call('HGET', KEYS[1], ARGV[1])
if not held then return 0 end
local kept = {}
for slot in string.gmatch(held, '%d+') do if slot ~= ARGV[2] then kept[#kept + 1] = slot end end
if #kept == 0 then return redis.call('HDEL', KEYS[1], ARGV[1]) end
return redis.call('HSET', KEYS[1], ARGV[1], table.concat(kept, ','))`

const FINISH = `
if redis.call('GET', KEYS[2]) ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2])
return redis.call('DEL', KEYS[2])`

/** How long a command may take before the door goes on without Redis, and how long it then does not ask again. */
const COMMAND_TIMEOUT_MS = 500
const AWAY_MS = 1_000
const REBUILD_LOCK_MS = 60_000

/**
 * Which slots are taken, in Redis: the fast answer to "may this guest enter once more". It is never the last word: a grant
 * counts only when the store's unique index takes it, and a refusal only when the store confirms it, so a ledger that is
 * behind, ahead or lost costs time and nothing else (docs/adr/0003).
 */
export class Ledger {
  readonly #redis: Redis & LedgerCommands
  readonly #namespace: string
  readonly #rebuilding = new Set<string>()
  /** Events of which Redis may lack something: what it was told did not reach it. */
  readonly #behind = new Set<string>()
  /** Which life of the Redis server we speak to: counters of another life may lack its last writes. */
  #epoch: string | undefined
  #awayUntil = 0

  constructor(url: string, namespace: string, log: Log) {
    this.#namespace = namespace
    this.#redis = new Redis(url, {
      lazyConnect: true,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      commandTimeout: COMMAND_TIMEOUT_MS,
      connectTimeout: 2_000,
      retryStrategy: (attempt) => Math.min(50 * attempt, 1_000),
      scripts: {
        decide: { lua: DECIDE },
        giveBack: { lua: GIVE_BACK, numberOfKeys: 1 },
        finish: { lua: FINISH, numberOfKeys: 2 },
      },
    }) as Redis & LedgerCommands
    this.#redis.on('error', (error: Error) => log.warn({ reason: error.message }, 'redis'))
    this.#redis.on('close', () => {
      this.#epoch = undefined
    })
    this.#redis.on('ready', () => {
      this.#readEpoch().catch((error: Error) => log.warn({ reason: error.message }, 'redis'))
    })
  }

  /** Connects in the background: the door works without. */
  async connect(): Promise<void> {
    await this.#redis.connect().catch(() => {})
  }

  async close(): Promise<void> {
    this.#redis.disconnect()
  }

  async #readEpoch(): Promise<void> {
    const info = await this.#redis.info('server')
    this.#epoch = /^run_id:(\w+)/m.exec(info)?.[1]
  }

  #key(eventId: string, ...rest: string[]): string {
    return [this.#namespace, `{${eventId}}`, ...rest].join(':')
  }

  /** Decides scans of one event, in order. Undefined when Redis is away or does not know the event: ask the store. */
  async decide(eventId: string, requests: Request[]): Promise<Verdict[] | undefined> {
    if (!this.#epoch || performance.now() < this.#awayUntil) return undefined
    if (this.#behind.has(eventId)) {
      await this.#distrust(eventId)
      return undefined
    }
    const points = new Map<string, number>()
    const scans: (string | number)[] = []
    for (const { accesspoint_id, guest_uid, limit } of requests) {
      const number = points.get(accesspoint_id) ?? points.size + 1
      points.set(accesspoint_id, number)
      scans.push(number, guest_uid, limit)
    }
    const keys = [this.#key(eventId, 'epoch')]
    for (const point of points.keys()) keys.push(this.#key(eventId, 'slots', point), this.#key(eventId, 'open', point))
    try {
      const verdicts = await this.#redis.decide(keys.length, ...keys, this.#epoch, ...scans)
      return verdicts?.map(readVerdict)
    } catch {
      this.#awayUntil = performance.now() + AWAY_MS
      return undefined
    }
  }

  /** Writes down which slots of a guest are taken, as the store has just shown them. */
  async correct(
    eventId: string,
    { accesspoint_id, guest_uid, limit }: Request,
    slots: Iterable<number>,
  ): Promise<void> {
    if (limit === NO_LIMIT) return
    const taken = [...slots].join(',')
    const key = this.#key(eventId, 'slots', accesspoint_id)
    await this.#tolerate(
      eventId,
      taken === '' ? this.#redis.hdel(key, guest_uid) : this.#redis.hset(key, guest_uid, taken),
    )
  }

  /** Writes down that a guest entered without a limit, so that a limit set later asks the store. */
  async noteFree(eventId: string, accesspointId: string, uid: string): Promise<void> {
    await this.#tolerate(eventId, this.#redis.sadd(this.#key(eventId, 'open', accesspointId), uid))
  }

  /** Gives a deleted check-in's slot back. */
  async giveBack(eventId: string, accesspointId: string, uid: string, slot: number): Promise<void> {
    await this.#tolerate(eventId, this.#redis.giveBack(this.#key(eventId, 'slots', accesspointId), uid, slot))
  }

  /** What can't be written now is rebuilt from the store before Redis is believed again. */
  async #tolerate(eventId: string, command: Promise<unknown>): Promise<void> {
    await command.catch(() => this.#behind.add(eventId))
  }

  /**
   * Takes the counters of an event back, for every process, and whatever is being rebuilt of them: it may have been read
   * before what they lack was stored.
   */
  async #distrust(eventId: string): Promise<void> {
    this.#behind.delete(eventId)
    await this.#tolerate(eventId, this.#redis.del(this.#key(eventId, 'epoch'), this.#key(eventId, 'rebuilding')))
  }

  /**
   * Fills in an event that this life of Redis does not know, from what the store holds, once at a time over all processes.
   * Until it is done, scans are decided by the store.
   */
  async rebuild(eventId: string, granted: () => AsyncIterable<Grant[]>): Promise<void> {
    const epoch = this.#epoch
    if (!epoch || this.#rebuilding.has(eventId)) return
    this.#rebuilding.add(eventId)
    const lock = this.#key(eventId, 'rebuilding')
    const token = randomUUID()
    try {
      if ((await this.#redis.get(this.#key(eventId, 'epoch'))) === epoch) return
      if ((await this.#redis.set(lock, token, 'PX', REBUILD_LOCK_MS, 'NX')) !== 'OK') return
      for await (const grants of granted()) await this.#write(eventId, grants)
      await this.#redis.finish(this.#key(eventId, 'epoch'), lock, token, epoch)
    } finally {
      this.#rebuilding.delete(eventId)
    }
  }

  async #write(eventId: string, grants: Grant[]): Promise<void> {
    const pipeline = this.#redis.pipeline()
    for (const { accesspoint_id, guest_uid, slots, free } of grants) {
      if (slots.length > 0) pipeline.hset(this.#key(eventId, 'slots', accesspoint_id), guest_uid, slots.join(','))
      if (free) pipeline.sadd(this.#key(eventId, 'open', accesspoint_id), guest_uid)
    }
    const results = await pipeline.exec()
    const failed = results?.find(([error]) => error)
    if (failed) throw failed[0]
  }
}

/** What the store holds of a guest at a point: its numbered slots, and whether it entered without a limit. */
export interface Grant {
  accesspoint_id: string
  guest_uid: string
  slots: number[]
  free: boolean
}

function readVerdict(verdict: number): Verdict {
  if (verdict === FREE) return 'free'
  if (verdict === UNSURE) return 'unsure'
  return verdict === 0 ? 'full' : verdict
}
