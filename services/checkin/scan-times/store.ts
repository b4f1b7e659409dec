import { unavailable } from '@gatehouse/proto/declaring/faults.ts'
import type { Log } from '@gatehouse/proto/process/log.ts'
import { closeRedis, connectFor, type RedisConnection, redisWith } from '@gatehouse/proto/storage/redis.ts'
import { WINDOW_MINUTES } from './resource.ts'

/** What is counted of a scan: the time in Gatehouse, the time on the device, that the network was slow, or that the device did not ask. */
export type Counted = 'gatehouse' | 'device' | 'network' | 'alone'

/** Scans at a check-in point that count as one thing. */
export interface Increment {
  accesspoint_id: string
  /** Undefined for staff. */
  token_id: string | undefined
  ago_ms: number
  counted: Counted
  count: number
  /** Of what has a time: its step, the longest of the times, and whether there was an answer. */
  time?: { step: number; worst_ms: number; is_answered: boolean }
}

/** A count as it is stored, of one minute. */
export interface StoredCount {
  accesspoint_id: string
  token_id: string
  counted: Counted
  /** `worst` for the longest time in ms, `unanswered`, the number of a step, or empty for what has no time. */
  of: string
  value: number
}

interface TimeCommands {
  addTimes(keyCount: number, ...keysAndArguments: (string | number)[]): Promise<number>
}

const MINUTE_MS = 60_000
/** What leaves the window in the minute that is under way is not asked for any more. */
const TTL_SECONDS = (WINDOW_MINUTES + 2) * 60
const WORST = 'worst'

/*
 * KEYS: that of the report, and those of the minutes. ARGV: for each count the number of its minute, its field and its value. Nothing is counted
 * of a report that was counted before.
 */
const ADD = `
if not redis.call('SET', KEYS[1], '', 'EX', ${TTL_SECONDS}, 'NX') then return 0 end
for i = 1, #ARGV, 3 do
  local key, field, value = KEYS[tonumber(ARGV[i])], ARGV[i + 1], tonumber(ARGV[i + 2])
  if string.sub(field, -${WORST.length}) ~= '${WORST}' then redis.call('HINCRBY', key, field, value)
  elseif value > tonumber(redis.call('HGET', key, field) or '-1') then redis.call('HSET', key, field, value) end
end
for i = 2, #KEYS do redis.call('EXPIRE', KEYS[i], ${TTL_SECONDS}) end
return 1`

/** How long scans took in the last minutes, in Redis alone: what nobody needs tomorrow is not worth a disk. Throws `unavailable` while that is away. */
export class ScanTimeStore {
  readonly #redis: RedisConnection & TimeCommands
  readonly #namespace: string

  constructor(url: string, namespace: string, log: Log) {
    this.#namespace = namespace
    this.#redis = redisWith<TimeCommands>(url, { addTimes: { lua: ADD } }, log)
  }

  /** Connects in the background. */
  async connect(): Promise<void> {
    await connectFor(this.#redis)
  }

  close(): void {
    closeRedis(this.#redis)
  }

  /** Counts what a report says, once; without what is older than the window. */
  async add(event_id: string, report_key: string, increments: readonly Increment[]): Promise<void> {
    const now = Date.now()
    const keys = [this.#key(event_id, `report:${report_key}`)]
    const values: (string | number)[] = []
    for (const increment of increments) {
      const key = this.#key(event_id, minuteOf(now - increment.ago_ms))
      if (!keys.includes(key)) keys.push(key)
      for (const [field, value] of fieldsOf(increment)) values.push(keys.indexOf(key) + 1, field, value)
    }
    if (values.length > 0) await this.#answered(this.#redis.addTimes(keys.length, ...keys, ...values))
  }

  /** Returns the counts of the window, and when that begins. */
  async read(event_id: string): Promise<{ since: Date; counts: StoredCount[] }> {
    const first = minuteOf(Date.now()) - WINDOW_MINUTES
    const minutes = Array.from({ length: WINDOW_MINUTES + 1 }, (_, index) => first + index)
    const hashes = await this.#answered(
      Promise.all(minutes.map((minute) => this.#redis.hgetall(this.#key(event_id, minute)))),
    )
    return { since: new Date(first * MINUTE_MS), counts: hashes.flatMap((hash) => Object.entries(hash).map(countOf)) }
  }

  #key(event_id: string, name: string | number): string {
    return `${this.#namespace}:{${event_id}}:scan_times:${name}`
  }

  async #answered<T>(answer: Promise<T>): Promise<T> {
    return answer.catch(() => {
      throw unavailable()
    })
  }
}

function minuteOf(moment: number): number {
  return Math.floor(moment / MINUTE_MS)
}

function fieldsOf({ accesspoint_id, token_id = '', counted, count, time }: Increment): [string, number][] {
  const field = (of: string | number): string => `${accesspoint_id}:${token_id}:${counted}:${of}`
  if (!time) return [[field(''), count]]
  const { step, worst_ms, is_answered } = time
  return [
    [field(step), count],
    [field(WORST), worst_ms],
    ...(is_answered ? [] : [[field('unanswered'), count] satisfies [string, number]]),
  ]
}

function countOf([field, value]: [string, string]): StoredCount {
  const [accesspoint_id = '', token_id = '', counted, of = ''] = field.split(':')
  return { accesspoint_id, token_id, counted: counted as Counted, of, value: Number(value) }
}
