import { WHILE_AWAITED } from '@gatehouse/proto/storage/mongo.ts'
import { scopeCache } from '@gatehouse/proto/storage/scoped-cache.ts'
import type { Collection } from 'mongodb'
import type { StoredGuest } from './stored-guest.ts'

/** The number of guests of each category. */
export type CategoryCounts = Map<string, number>

/** The number of guests of all categories. */
export function totalOf(counts: CategoryCounts = new Map()): number {
  return counts.values().reduce((sum, count) => sum + count, 0)
}

/** The guests whose uids are from `from` up to the next range. */
interface UidRange {
  /** In bytes, as the store orders uids. */
  from: Buffer
  counts: CategoryCounts
  /** When it was counted; undefined if it never was. */
  counted: number | undefined
  /** Whether it was never counted, or one of its guests has changed since. */
  stale: boolean
}

/** The cached counts of one event. */
interface EventState {
  ranges: UidRange[]
  /** The running count, and the next one. */
  running: Promise<unknown>
  waiting: Promise<CategoryCounts> | undefined
  /** Whether ranges are being counted in the background. */
  isCounting: boolean
}

type CountedRow = Pick<StoredGuest, 'uid' | 'guest_category_id'>

/** Entries do not expire: ranges are refreshed one by one. */
const NO_TTL = 0
/** Guests of a new range; it is split when it has twice as many. */
const RANGE_SIZE = 2_000
/** More stale ranges than these take longer to count than all guests by an aggregation. */
const MANY_STALE = 20
/** Each request refreshes one range that is older than this, in case an announcement was lost. */
const REFRESH_MS = 30_000

/**
 * How many guests each category of an event has. All guests are counted once, in ranges of the index of uids; afterwards only ranges in which
 * a guest has changed. If many ranges are stale, they are counted in the background, and requests are answered by an aggregation meanwhile.
 */
export class GuestCounts {
  readonly #guests: Collection<StoredGuest>
  readonly #index: string
  readonly #size: number
  readonly #events = scopeCache<EventState>(NO_TTL)

  /** `index` gives the guests of an event in the order of their uids. */
  constructor(guests: Collection<StoredGuest>, index: string, size = RANGE_SIZE) {
    this.#guests = guests
    this.#index = index
    this.#size = size
  }

  /** The counts, with every change that was answered before the call. */
  counts(event_id: string): Promise<CategoryCounts> {
    const state = this.#of(event_id)
    state.waiting ??= state.running.then(() => {
      state.waiting = undefined
      const counting = this.#count(event_id, state)
      // After an error the next count continues.
      state.running = counting.catch(() => {})
      return counting
    })
    return state.waiting
  }

  /** To be called when guests with these uids came, went or changed. */
  invalidate(event_id: string, uids: string[]): void {
    const state = this.#events.peek(event_id)
    if (!state) return
    for (const uid of uids) rangeOf(state.ranges, Buffer.from(uid)).stale = true
  }

  invalidateAll(): void {
    this.#events.clear()
  }

  #of(event_id: string): EventState {
    const state = this.#events.get(event_id)
    if (state) return state
    const fresh: EventState = {
      ranges: [unknownFrom('')],
      running: Promise.resolve(),
      waiting: undefined,
      isCounting: false,
    }
    this.#events.set(event_id, fresh)
    return fresh
  }

  async #count(event_id: string, state: EventState): Promise<CategoryCounts> {
    const { ranges } = state
    const aged = performance.now() - REFRESH_MS
    const oldest = ranges.reduce((one, other) => ((other.counted ?? aged) < (one.counted ?? aged) ? other : one))
    if ((oldest.counted ?? aged) < aged) oldest.stale = true
    const stale = ranges.filter((each) => each.stale)
    if (!state.isCounting && stale.length <= MANY_STALE) {
      for (const each of stale) await this.#countRange(event_id, ranges, each)
    }
    // A range that was never counted has just been split off: there are too many left to wait for.
    if (state.isCounting || ranges.some(({ counted }) => counted === undefined) || stale.length > MANY_STALE) {
      void this.#countInBackground(event_id, state)
      return this.#countAll(event_id)
    }
    const sum: CategoryCounts = new Map()
    for (const { counts } of ranges) {
      for (const [category, count] of counts) sum.set(category, (sum.get(category) ?? 0) + count)
    }
    return sum
  }

  /** Counts stale ranges one after the other. After an error, the next request continues. */
  async #countInBackground(event_id: string, state: EventState): Promise<void> {
    if (state.isCounting) return
    state.isCounting = true
    try {
      // Ranges that are split off meanwhile follow. Ranges that become stale again do not, since that might never end.
      for (const range of state.ranges) {
        if (range.stale) await this.#countRange(event_id, state.ranges, range)
      }
    } catch {
    } finally {
      state.isCounting = false
    }
  }

  async #countAll(event_id: string): Promise<CategoryCounts> {
    const rows = await this.#guests
      .aggregate<{ _id: string; count: number }>(
        [{ $match: { event_id } }, { $group: { _id: '$guest_category_id', count: { $sum: 1 } } }],
        WHILE_AWAITED,
      )
      .toArray()
    return new Map(rows.map(({ _id, count }) => [_id, count]))
  }

  /** Counts a range. If it has grown too large, its rest becomes a new range, still to be counted. */
  async #countRange(event_id: string, ranges: UidRange[], range: UidRange): Promise<void> {
    const index = ranges.indexOf(range)
    const next = ranges[index + 1]
    const max = range.counted === undefined ? this.#size : 2 * this.#size
    const uid = { $gte: String(range.from), ...(next && { $lt: String(next.from) }) }
    range.stale = false
    try {
      const rows = await this.#guests
        .find({ event_id, uid }, { hint: this.#index, batchSize: max + 1 })
        .sort({ uid: 1 })
        .limit(max + 1)
        .project<CountedRow>({ _id: 0, uid: 1, guest_category_id: 1 })
        .toArray()
      const beyond = rows.length > max ? rows.splice(this.#size) : []
      if (beyond[0]) ranges.splice(index + 1, 0, unknownFrom(beyond[0].uid))
      range.counts = countsOf(rows)
      range.counted = performance.now()
    } catch (error) {
      range.stale = true
      throw error
    }
  }
}

function unknownFrom(uid: string): UidRange {
  return { from: Buffer.from(uid), counts: new Map(), counted: undefined, stale: true }
}

function countsOf(rows: CountedRow[]): CategoryCounts {
  const counts: CategoryCounts = new Map()
  for (const { guest_category_id } of rows) counts.set(guest_category_id, (counts.get(guest_category_id) ?? 0) + 1)
  return counts
}

/** The last range that begins at the uid or before it. */
function rangeOf(ranges: UidRange[], uid: Buffer): UidRange {
  let [low, high] = [0, ranges.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (Buffer.compare((ranges[middle] as UidRange).from, uid) <= 0) low = middle
    else high = middle - 1
  }
  return ranges[low] as UidRange
}
