import { ACCESS_GRANTED } from '@gatehouse/door/decision.ts'
import { decode } from '@gatehouse/proto/formats/raw-documents.ts'
import { unlessTaken, untilDecided } from '@gatehouse/proto/storage/mongo.ts'
import { findRaw } from '@gatehouse/proto/storage/paging.ts'
import type { Collection, Db, Filter } from 'mongodb'
import { BY_ARRIVAL, BY_STAMP } from '../check-ins/indexes.ts'
import { type CheckIn, ON_TIME_MS } from '../check-ins/store.ts'
import { type CountedCheckIn, type PlainTotals, Totals } from './totals.ts'

/** The uids that entered at each check-in point, once for each person. */
export type Entered = [accesspoint_id: string, uids: string[]][]

/** The sums of the check-ins that arrived from `from` until before `to`, as read at `read_at`. */
export interface Segment {
  from: Date
  to: Date
  read_at: Date
  totals: Totals
  /** Undefined if it was not asked for. */
  entered: Entered | undefined
}

/** With JSON in strings: a document of thousands of values takes several times as long to read. */
interface StoredSegment {
  _id: string
  event_id: string
  from: Date
  to: Date
  read_at: Date
  totals: string
  entered: string
}

/** Check-ins in the order of their arrival, and where the next ones begin. */
export interface CheckInRange {
  rows: CountedCheckIn[]
  to: Date
}

type SegmentRow = Pick<
  CheckIn,
  'accesspoint_id' | 'guest_uid' | 'access_status' | 'access_stamp' | 'arrived_at' | 'created_at' | 'persons'
>

/** Waits before the next chunk is read, after one that took this many ms. */
type Pause = (tookMs: number) => Promise<void>

/** Which check-ins are read. */
export interface Bounds {
  /** Arrivals from here on. */
  from: Date
  /** Arrivals before then; all by default. */
  before?: Date
  /** About this many, the first ones; those of a segment by default. */
  max?: number
  /** Runs between chunks. */
  pause?: Pause
}

/** Check-ins in a segment. */
const SEGMENT_SIZE = 2_000
/** Check-ins that are read at once: meanwhile the door waits. */
const CHUNK = 250
/** Check-ins that arrived this long ago are sealed: none can still be on its way to the store. */
export const SEALED_AFTER_MS = 120_000
/** When the first segment of an event begins. */
export const BEGINNING = new Date(-8_640_000_000_000_000)
/** After all check-ins. */
export const END = new Date(8_640_000_000_000_000)
const COUNTED = {
  _id: 0,
  accesspoint_id: 1,
  guest_uid: 1,
  access_status: 1,
  access_stamp: 1,
  arrived_at: 1,
  created_at: 1,
  persons: 1,
} as const
/** Longer than a scan waits from its receipt until it is stored. */
const STORED_WITHIN_MS = 60_000

/**
 * Reads check-ins for counting, and stores their sums in segments, without a gap from the beginning. So only the first process reads all of an
 * event's check-ins: 300,000 took it 18 s (2 s of CPU), the next process 0.6 s (docs/performance.md).
 */
export class SegmentStore {
  readonly #checkIns: Collection<CheckIn>
  readonly #segments: Collection<StoredSegment>
  /** Check-ins in a segment. */
  readonly size: number

  constructor(db: Db, size = SEGMENT_SIZE) {
    this.size = size
    this.#checkIns = db.collection('access_controls')
    this.#segments = db.collection('segments')
  }

  async prepare(): Promise<void> {
    await this.#segments.createIndex({ event_id: 1, from: 1 })
  }

  /** The first check-ins that arrived within bounds, as many as a segment has at most by default. */
  async readRange(event_id: string, bounds: Bounds): Promise<CheckInRange> {
    const [onTime, apart] = await Promise.all([
      this.#rows(
        (arrived) => ({ event_id, access_stamp: arrived, arrived_at: { $exists: false } }),
        { access_stamp: 1, _id: 1 },
        BY_STAMP,
        bounds,
      ),
      this.#rows((arrived) => ({ event_id, arrived_at: arrived }), { arrived_at: 1 }, BY_ARRIVAL, bounds),
    ])
    const to = Math.min(onTime.to, apart.to)
    return { rows: [...onTime.rows, ...apart.rows].filter(({ arrival }) => arrival < to), to: new Date(to) }
  }

  /** Reads along one index, in chunks: each from the millisecond on in which the one before ended. */
  async #rows(
    filterOf: (arrived: { $gte: Date; $lt: Date }) => Filter<CheckIn>,
    sort: Record<string, 1>,
    hint: string,
    { from, before = END, max = this.size, pause }: Bounds,
  ): Promise<{ rows: CountedCheckIn[]; to: number }> {
    const rows: CountedCheckIn[] = []
    const wanted = (): number => Math.min(CHUNK, max - rows.length + 1)
    let size = wanted()
    for (let $gte = from; ; ) {
      const begun = performance.now()
      const filter = filterOf({ $gte, $lt: before })
      const found = await findRaw(this.#checkIns, filter, { hint, sort, projection: COUNTED, limit: size })
      const chunk = found.map(countedOf)
      const isLast = chunk.length < size
      const end = isLast ? before.getTime() : (chunk.at(-1) as CountedCheckIn).arrival
      // A whole chunk of one millisecond: only a larger one gets past it.
      if (end === $gte.getTime() && !isLast) {
        size *= 2
        continue
      }
      const isEnough = rows.length + chunk.length > max
      for (const row of chunk) if (row.arrival < end) rows.push(row)
      if (isLast || isEnough) return { rows, to: end }
      size = wanted()
      $gte = new Date(end)
      await pause?.(performance.now() - begun)
    }
  }

  /** The number of granted and refused check-ins with moments from `from` until before `before`. */
  async split(event_id: string, from: Date, before: Date): Promise<[granted: number, refused: number]> {
    const onTime = new Date(before.getTime() + ON_TIME_MS)
    const stored = new Date(before.getTime() + STORED_WITHIN_MS)
    const found = await Promise.all([
      this.#momentsOf({ event_id, access_stamp: { $gte: from, $lt: onTime } }, BY_STAMP),
      this.#momentsOf(
        { event_id, arrived_at: { $gte: from, $lt: stored }, access_stamp: { $gte: onTime } },
        BY_ARRIVAL,
      ),
    ])
    const rows = found.flat().filter((row) => {
      const moment = momentOf(row) ?? Number.NaN
      return moment >= from.getTime() && moment < before.getTime()
    })
    const granted = rows.filter(({ access_status }) => access_status === ACCESS_GRANTED).length
    return [granted, rows.length - granted]
  }

  #momentsOf(
    filter: Filter<CheckIn>,
    hint: string,
  ): Promise<Pick<CheckIn, 'access_status' | 'access_stamp' | 'created_at'>[]> {
    const found = this.#checkIns.find(filter, { hint })
    return found
      .project<Pick<CheckIn, 'access_status' | 'access_stamp' | 'created_at'>>({
        _id: 0,
        access_status: 1,
        access_stamp: 1,
        created_at: 1,
      })
      .toArray()
  }

  /** The segments from `since` on, in order. */
  async *kept(event_id: string, since: Date, withEntered: boolean): AsyncGenerator<Segment> {
    const found = this.#segments
      .find({ event_id, from: { $gte: since } }, { hint: 'event_id_1_from_1', batchSize: withEntered ? 20 : 1_000 })
      .sort({ from: 1 })
      .project<StoredSegment>(withEntered ? {} : { entered: 0 })
    for await (const { from, to, read_at, totals, entered } of found) {
      yield {
        from,
        to,
        read_at,
        totals: Totals.from(JSON.parse(totals) as PlainTotals),
        entered: withEntered ? (JSON.parse(entered) as Entered) : undefined,
      }
    }
  }

  /** Adds a segment after the last one; false if another process has done so first. */
  async add(event_id: string, segment: Segment): Promise<boolean> {
    const { from, to, read_at } = segment
    const add = () =>
      this.#segments.insertOne({
        _id: idOf(event_id, from),
        event_id,
        from,
        to,
        read_at,
        ...textsOf(segment),
      })
    return (await unlessTaken(untilDecided(add))) !== undefined
  }

  /** Replaces a segment by what was read later. */
  async replace(event_id: string, segment: Segment): Promise<void> {
    const { from, read_at } = segment
    await this.#segments.updateOne(
      { _id: idOf(event_id, from), read_at: { $lt: read_at } },
      { $set: { read_at, ...textsOf(segment) } },
    )
  }
}

/** The segment of check-ins that were read at `read_at`. */
export function segmentOf(from: Date, { rows, to }: CheckInRange, read_at: Date): Segment {
  const entered = new Map<string, string[]>()
  for (const { accesspoint_id, guest_uid, access_status, persons } of rows) {
    if (access_status !== ACCESS_GRANTED) continue
    const uids = entered.getOrInsertComputed(accesspoint_id, () => [])
    for (let person = 0; person < persons; person++) uids.push(guest_uid)
  }
  return { from, to, read_at, totals: Totals.of(rows), entered: [...entered] }
}

function countedOf(document: Uint8Array): CountedCheckIn {
  const row = decode(document) as SegmentRow
  const { access_stamp, arrived_at, accesspoint_id, guest_uid, access_status, persons = 1 } = row
  // What was read along an index has a moment there.
  const arrival = (arrived_at ?? access_stamp).getTime()
  return { arrival, stamp: momentOf(row) ?? arrival, accesspoint_id, guest_uid, access_status, persons }
}

/**
 * When a check-in counts as made: at its stamp, or at its receipt if the device's clock is ahead, or it would move the window of all others.
 * Undefined for a document of an earlier version without a stamp.
 */
function momentOf({ access_stamp, created_at }: Pick<CheckIn, 'access_stamp' | 'created_at'>): number | undefined {
  if (!(access_stamp instanceof Date)) return undefined
  const received = created_at instanceof Date ? created_at : access_stamp
  return Math.min(access_stamp.getTime(), received.getTime())
}

function idOf(event_id: string, from: Date): string {
  return `${event_id} ${from.getTime()}`
}

function textsOf({ totals, entered }: Segment): Pick<StoredSegment, 'totals' | 'entered'> {
  return { totals: JSON.stringify(totals.plain()), entered: JSON.stringify(entered) }
}
