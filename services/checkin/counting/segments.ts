import { ACCESS_GRANTED } from '@gatehouse/door/decision.ts'
import { decode } from '@gatehouse/proto/formats/raw-documents.ts'
import { unlessTaken, untilDecided } from '@gatehouse/proto/storage/mongo.ts'
import { findRaw } from '@gatehouse/proto/storage/paging.ts'
import type { Collection, Db, Filter } from 'mongodb'
import { BY_ARRIVAL, BY_STAMP } from '../check-ins/indexes.ts'
import { type CheckIn, ON_TIME_MS } from '../check-ins/store.ts'
import { type CountedCheckIn, type PlainTotals, Totals } from './totals.ts'

/** The granted check-ins of a check-in point, in columns. */
export interface GrantedAtPoint {
  accesspoint_id: string
  uids: string[]
  /** When each counts as made, in ms. */
  moments: number[]
  /** Negative for those who went out; absent if each let one person in. */
  persons?: number[]
}

/** As stored: moments are ms after the first one. */
type StoredGranted = [accesspoint_id: string, first: number, uids: string[], moments: number[], persons?: number[]]

/** The sums of the check-ins that arrived from `from` until before `to`, as read at `read_at`. */
export interface Segment {
  from: Date
  to: Date
  read_at: Date
  totals: Totals
  /** Undefined if it was not asked for. */
  granted: GrantedAtPoint[] | undefined
}

/** With JSON in strings: a document of thousands of values takes several times as long to read. */
interface StoredSegment {
  _id: string
  event_id: string
  from: Date
  to: Date
  read_at: Date
  totals: string
  granted: string
}

/** Check-ins in the order of their arrival, and where the next ones begin. */
export interface CheckInRange {
  rows: CountedCheckIn[]
  to: Date
}

type SegmentRow = Pick<
  CheckIn,
  | 'accesspoint_id'
  | 'guest_uid'
  | 'access_status'
  | 'access_stamp'
  | 'arrived_at'
  | 'created_at'
  | 'persons'
  | 'direction'
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
  direction: 1,
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
  /** Segments of earlier versions, without the moments of granted check-ins. */
  readonly #former: Collection
  /** Check-ins in a segment. */
  readonly size: number

  constructor(db: Db, size = SEGMENT_SIZE) {
    this.size = size
    this.#checkIns = db.collection('access_controls')
    this.#segments = db.collection('check_in_segments')
    this.#former = db.collection('segments')
  }

  async prepare(): Promise<void> {
    await this.#segments.createIndex({ event_id: 1, from: 1 })
    // They have uids, which an erasure would not find there. Processes of an earlier version that still run make new ones.
    await this.#former.deleteMany({})
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
  async *kept(event_id: string, since: Date, withGranted: boolean): AsyncGenerator<Segment> {
    const found = this.#segments
      .find({ event_id, from: { $gte: since } }, { hint: 'event_id_1_from_1', batchSize: withGranted ? 20 : 1_000 })
      .sort({ from: 1 })
      .project<StoredSegment>(withGranted ? {} : { granted: 0 })
    for await (const { from, to, read_at, totals, granted } of found) {
      yield {
        from,
        to,
        read_at,
        totals: Totals.from(JSON.parse(totals) as PlainTotals),
        granted: withGranted ? (JSON.parse(granted) as StoredGranted[]).map(grantedOf) : undefined,
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
  const granted = rows.filter(({ access_status }) => access_status === ACCESS_GRANTED)
  const byPoint = Map.groupBy(granted, ({ accesspoint_id }) => accesspoint_id)
  return { from, to, read_at, totals: Totals.of(rows), granted: Array.from(byPoint, columnsOf) }
}

function columnsOf([accesspoint_id, rows]: [string, CountedCheckIn[]]): GrantedAtPoint {
  const persons = rows.map(({ persons, isExit }) => (isExit ? -persons : persons))
  return {
    accesspoint_id,
    uids: rows.map(({ guest_uid }) => guest_uid),
    moments: rows.map(({ at }) => at),
    ...(persons.some((many) => many !== 1) && { persons }),
  }
}

function storedGranted({ accesspoint_id, uids, moments, persons }: GrantedAtPoint): StoredGranted {
  const first = moments[0] ?? 0
  const stored: StoredGranted = [accesspoint_id, first, uids, moments.map((moment) => moment - first)]
  if (persons) stored.push(persons)
  return stored
}

function grantedOf([accesspoint_id, first, uids, moments, persons]: StoredGranted): GrantedAtPoint {
  return { accesspoint_id, uids, moments: moments.map((moment) => first + moment), ...(persons && { persons }) }
}

function countedOf(document: Uint8Array): CountedCheckIn {
  const row = decode(document) as SegmentRow
  const { access_stamp, arrived_at, accesspoint_id, guest_uid, access_status, persons = 1, direction } = row
  // What was read along an index has a moment there.
  const arrival = (arrived_at ?? access_stamp).getTime()
  const stamp = momentOf(row) ?? arrival
  const at = access_stamp instanceof Date ? access_stamp.getTime() : arrival
  return { arrival, stamp, at, accesspoint_id, guest_uid, access_status, persons, isExit: direction === 'out' }
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

function textsOf({ totals, granted = [] }: Segment): Pick<StoredSegment, 'totals' | 'granted'> {
  return { totals: JSON.stringify(totals.plain()), granted: JSON.stringify(granted.map(storedGranted)) }
}
