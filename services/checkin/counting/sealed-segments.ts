import type { Admissions } from './admissions.ts'
import { CheckInGroup } from './check-in-group.ts'
import { type LateChange, SKEW_MS } from './late-changes.ts'
import { BEGINNING, type CheckInRange, type Segment, type SegmentStore, segmentOf } from './segments.ts'
import { Totals } from './totals.ts'

/** A segment in memory. */
type SealedSegment = Pick<Segment, 'from' | 'to' | 'read_at'> & { group: CheckInGroup }

/**
 * The segments of an event in memory, without a gap from the beginning up to `to`. A call adds only what was sealed since: statistics of 300,000
 * check-ins take 6 to 11 ms (docs/performance.md).
 */
export class SealedSegments {
  readonly #event_id: string
  readonly #store: SegmentStore
  readonly #admissions: Admissions | undefined
  readonly #segments: SealedSegment[] = []
  totals = new Totals()
  to = BEGINNING

  constructor(event_id: string, store: SegmentStore, admissions: Admissions | undefined) {
    this.#event_id = event_id
    this.#store = store
    this.#admissions = admissions
  }

  /** Adds the segments that any process has stored since. Returns the earliest time at which one of them was read, in ms. */
  async load(): Promise<number> {
    let readAt = Number.POSITIVE_INFINITY
    for await (const segment of this.#store.kept(this.#event_id, this.to, this.#admissions !== undefined)) {
      this.#append(segment)
      readAt = Math.min(readAt, segment.read_at.getTime())
    }
    return readAt
  }

  /** Stores a segment and adds it; false if another process has stored one there first. */
  async add(segment: Segment): Promise<boolean> {
    const isAdded = await this.#store.add(this.#event_id, segment)
    if (isAdded) this.#append(segment)
    return isAdded
  }

  /** Reads the segments that late changes affect again, and stores them. */
  async reread(lateChanges: LateChange[], read: (from: Date, before: Date) => Promise<CheckInRange>): Promise<void> {
    for (const [index, old] of this.#segments.entries()) {
      const { from, to } = old
      if (!lateChanges.some((change) => affects(change, old))) continue
      const read_at = new Date()
      const { rows } = await read(from, to)
      const segment = segmentOf(from, { rows, to }, read_at)
      await this.#store.replace(this.#event_id, segment)
      old.group.discard()
      this.#segments[index] = this.#counted(segment)
      this.totals = Totals.sumOf(this.#segments.map(({ group }) => group))
    }
  }

  #append(segment: Segment): void {
    this.#segments.push(this.#counted(segment))
    this.totals.merge(segment.totals)
    this.to = segment.to
  }

  #counted({ from, to, read_at, totals, granted = [] }: Segment): SealedSegment {
    const group = new CheckInGroup(this.#admissions, totals)
    for (const { accesspoint_id, uids, moments, persons } of granted) {
      for (const [index, uid] of uids.entries()) {
        const many = persons?.[index] ?? 1
        const at = moments[index] as number
        group.addGranted(uid, { accesspoint_id, at, persons: Math.abs(many), isExit: many < 0 })
      }
    }
    return { from, to, read_at, group: group.close() }
  }
}

function affects({ from, to, until }: LateChange, segment: SealedSegment): boolean {
  const isWithin = from < segment.to && to >= segment.from
  return isWithin && segment.read_at.getTime() <= until.getTime() + SKEW_MS
}
