import type { Client } from '@gatehouse/proto/bus/client.ts'
import type { guests } from '../permissions.ts'
import { Admissions } from './admissions.ts'
import { Categories } from './categories.ts'
import { type LateChanges, SKEW_MS } from './late-changes.ts'
import type { StringTables } from './packed-check-ins.ts'
import { type Part, partOf } from './parts.ts'
import { SealedSegments } from './sealed-segments.ts'
import { BEGINNING, type Bounds, type CheckInRange, SEALED_AFTER_MS, type SegmentStore, segmentOf } from './segments.ts'
import { endOfSlice, SettledSlices, sliceOf } from './settled-slices.ts'
import { StringTable } from './string-table.ts'
import { type Sums, sumsOf } from './sums.ts'
import { Totals } from './totals.ts'
import { Turns } from './turns.ts'

/** Arrivals older than this are complete, except for late changes: 5 s for stamps on time, 10 s for storing, 15 s for clocks apart. */
const SETTLED_MS = 30_000

/** What counts are read from. */
export interface Sources {
  segments: SegmentStore
  lateChanges: LateChanges
  guests: Client<typeof guests>
}

/**
 * The counts of one event in memory. Three parts follow each other in the order of arrival: segments, which are stored; settled
 * check-ins, which only a late change can affect; and recent ones, which each call reads again. After an error it has to be discarded.
 */
export class EventCounts {
  readonly #event_id: string
  readonly #segments: SegmentStore
  readonly #lateChanges: LateChanges
  /** Undefined if only check-ins are counted. */
  readonly #admissions: Admissions | undefined
  readonly #categories: Categories | undefined
  readonly #strings: StringTables
  readonly #sealed: SealedSegments
  readonly #settled: SettledSlices
  #settledTo = BEGINNING.getTime()
  #recent: Part = { totals: new Totals(), guestsByPoint: undefined }
  /** Late changes that were over by then have been read. */
  #checkedUntil = 0
  #sealedAt = 0
  readonly #turns = new Turns()
  /** How many calls have read the admissions. */
  #readers = 0

  constructor(event_id: string, { segments, lateChanges, guests }: Sources, withGuests: boolean) {
    this.#event_id = event_id
    this.#segments = segments
    this.#lateChanges = lateChanges
    this.#admissions = withGuests ? new Admissions() : undefined
    this.#categories = this.#admissions && new Categories(guests, event_id, this.#admissions)
    this.#strings = this.#admissions?.strings ?? { points: new StringTable(), guests: undefined }
    this.#sealed = new SealedSegments(event_id, segments, this.#admissions)
    this.#settled = new SettledSlices(this.#admissions)
  }

  /** The number of guests in memory. */
  get size(): number {
    return this.#admissions?.uids.length ?? 0
  }

  /** Guests of the event with these uids have changed. */
  invalidate(uids: string[]): void {
    this.#categories?.invalidate(uids)
  }

  /** Any guest may have changed. */
  invalidateAll(): void {
    this.#categories?.invalidateAll()
  }

  /**
   * Seals one segment of check-ins that are old enough, if that was not done lately. Returns the ms in which they arrived; undefined
   * if no more is to be sealed now, or if another process is sealing.
   */
  seal(): Promise<number | undefined> {
    return this.#turns.take('seal', async () => {
      const from = this.#sealed.to.getTime()
      return (await this.#seal(true)) ? this.#sealed.to.getTime() - from : undefined
    })
  }

  /** The number of check-ins, including those that were answered before this call. */
  count(): Promise<number> {
    return this.#turns.urgently(() =>
      this.#turns.take('count', async () => {
        await this.#refresh()
        return this.#parts.reduce((sum, { totals }) => sum + totals.count, 0)
      }),
    )
  }

  /** The sums; if the caller can wait, they may take seconds while many check-ins arrive. */
  sums(canWait: boolean): Promise<Sums> {
    const sums = () =>
      this.#turns.take('sums', async () => {
        await this.#refresh()
        await this.#categories?.refresh()
        return sumsOf(this.#parts, this.#admissions ?? new Admissions(), (from, before) =>
          this.#segments.split(this.#event_id, from, before),
        )
      })
    return canWait ? sums() : this.#turns.urgently(sums)
  }

  /** Has how often each guest entered each point read, before it is counted further. The door goes first. Needs guests. */
  readAdmissions(read: (admissions: Admissions) => Promise<void>): Promise<void> {
    // Each reader has a turn of its own.
    return this.#turns.take(`admissions ${this.#readers++}`, async () => {
      await this.#refresh()
      if (this.#admissions) await read(this.#admissions)
    })
  }

  get #parts(): { totals: Totals }[] {
    return [this.#sealed, this.#settled, this.#recent]
  }

  async #refresh(): Promise<void> {
    await this.#seal()
    const now = Date.now()
    const [lateChanges, { rows }] = await Promise.all([
      this.#lateChanges.lasting(this.#event_id, new Date(this.#checkedUntil - SKEW_MS)),
      this.#read({ from: new Date(this.#settledTo) }),
    ])
    this.#settledTo = Math.max(this.#settledTo, now - SETTLED_MS)
    const [settled, recent] = rows.split(this.#settledTo)
    this.#admissions?.count(this.#recent, -1)
    this.#recent = partOf(recent, this.#admissions)
    this.#admissions?.count(this.#recent, 1)
    this.#settled.add(settled)
    await this.#sealed.reread(lateChanges, (from, before) => this.#readToSeal({ from, before }))
    const settledTo = new Date(this.#settledTo)
    if (lateChanges.some(({ from, to }) => from < settledTo && to >= this.#sealed.to)) {
      const changed = await this.#read({ from: this.#sealed.to, before: settledTo })
      this.#settled.replace(changed.rows, this.#settledTo)
    }
    this.#checkedUntil = now
  }

  /**
   * Loads the segments that any process has sealed, seals more of what is old enough, and reads the rest up to there once more. If two
   * processes seal at the same place, the first one counts. With `one` it ends after one segment, and returns whether that counts.
   */
  async #seal(one = false): Promise<boolean> {
    const now = Date.now()
    if (now - this.#sealedAt < SEALED_AFTER_MS) return false
    const oldEnough = sliceOf(now - SEALED_AFTER_MS)
    await this.#loadSegments()
    for (;;) {
      const from = this.#sealed.to
      const read_at = new Date()
      // Another process may have sealed more, up to some time within a slice: that slice is read to its end, and not sealed.
      const isSealed = from.getTime() >= oldEnough
      const before = isSealed ? endOfSlice(from.getTime()) : oldEnough
      const range = await this.#readToSeal({
        from,
        before: new Date(before),
        ...(!isSealed && { max: this.#segments.size }),
      })
      if (range.to.getTime() >= before) {
        this.#settled.replace(range.rows, before)
        this.#settledTo = Math.max(this.#settledTo, before)
        this.#sealedAt = now
        return false
      }
      const begun = performance.now()
      const isAdded = await this.#sealed.add(segmentOf(from, range, read_at))
      if (!isAdded) await this.#loadSegments()
      await this.#turns.pause(performance.now() - begun)
      if (one) return isAdded
    }
  }

  async #loadSegments(): Promise<void> {
    this.#checkedUntil = Math.min(this.#checkedUntil, await this.#sealed.load())
  }

  #read(bounds: Bounds, strings = this.#strings): Promise<CheckInRange> {
    return this.#segments.readRange(this.#event_id, strings, { ...bounds, pause: this.#turns.pause })
  }

  /** With guests, even if they are not counted here: segments are for all processes. */
  #readToSeal(bounds: Bounds): Promise<CheckInRange> {
    return this.#read(bounds, { points: this.#strings.points, guests: this.#strings.guests ?? new StringTable() })
  }
}
