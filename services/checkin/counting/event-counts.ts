import type { Client } from '@gatehouse/proto/bus/client.ts'
import type { AccesspointStore } from '../accesspoints/store.ts'
import type { guests } from '../permissions.ts'
import { Admissions } from './admissions.ts'
import { Categories } from './categories.ts'
import { type LateChanges, SKEW_MS } from './late-changes.ts'
import type { Inside } from './occupancy.ts'
import { SealedSegments } from './sealed-segments.ts'
import { BEGINNING, type CheckInRange, END, SEALED_AFTER_MS, type SegmentStore, segmentOf } from './segments.ts'
import { SerialRunner } from './serial-runner.ts'
import { type Sums, sumsOf } from './sums.ts'
import { endOfSlice, sliceOf, UnsealedCheckIns } from './unsealed-check-ins.ts'

/** Arrivals older than this are complete, except for late changes: 5 s for stamps on time, 10 s for storing, 15 s for clocks apart. */
const COMPLETE_AFTER_MS = 30_000

/** What counts are read from. */
export interface Sources {
  segments: SegmentStore
  lateChanges: LateChanges
  accesspoints: Pick<AccesspointStore, 'areasOf'>
  guests: Client<typeof guests>
}

/**
 * The counts of one event in memory. Check-ins follow each other in the order of arrival: those of segments, which are stored; then unsealed
 * ones. Each call reads the last of these again; earlier ones are complete, and only a late change can affect them. After an error it has to be discarded.
 */
export class EventCounts {
  readonly #event_id: string
  readonly #segments: SegmentStore
  readonly #lateChanges: LateChanges
  readonly #accesspoints: Sources['accesspoints']
  /** Undefined if only check-ins are counted. */
  readonly #admissions: Admissions | undefined
  readonly #categories: Categories | undefined
  readonly #sealed: SealedSegments
  readonly #unsealed: UnsealedCheckIns
  /** Check-ins that arrived before this time, in ms, are complete. */
  #completeTo = BEGINNING.getTime()
  /** Late changes that were over by then have been read. */
  #checkedUntil = 0
  #sealedAt = 0
  readonly #runner = new SerialRunner()
  /** How many calls have read the admissions. */
  #readers = 0

  constructor(event_id: string, { segments, lateChanges, accesspoints, guests }: Sources, withGuests: boolean) {
    this.#event_id = event_id
    this.#segments = segments
    this.#lateChanges = lateChanges
    this.#accesspoints = accesspoints
    this.#admissions = withGuests ? new Admissions() : undefined
    this.#categories = this.#admissions && new Categories(guests, event_id, this.#admissions)
    this.#sealed = new SealedSegments(event_id, segments, this.#admissions)
    this.#unsealed = new UnsealedCheckIns(this.#admissions)
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
    return this.#runner.run('seal', async () => {
      const from = this.#sealed.to.getTime()
      return (await this.#seal(true)) ? this.#sealed.to.getTime() - from : undefined
    })
  }

  /** The number of check-ins, including those that were answered before this call. */
  count(): Promise<number> {
    return this.#runner.urgently(() =>
      this.#runner.run('count', async () => {
        await this.#refresh()
        return this.#sealed.totals.count + this.#unsealed.totals.count
      }),
    )
  }

  /** The sums; if the caller can wait, they may take seconds while many check-ins arrive. */
  sums(canWait: boolean): Promise<Sums> {
    const sums = () =>
      this.#runner.run('sums', async () => {
        const areas = await this.#refreshAll()
        return sumsOf([this.#sealed, this.#unsealed], this.#admissions ?? new Admissions(), areas, (from, before) =>
          this.#segments.split(this.#event_id, from, before),
        )
      })
    return canWait ? sums() : this.#runner.urgently(sums)
  }

  /** Who is inside each area. Needs guests. */
  inside(): Promise<Map<string | null, Inside>> {
    return this.#runner.urgently(() =>
      this.#runner.run('inside', async () => {
        const areas = await this.#refreshAll()
        return this.#admissions?.occupancy.read(areas) ?? new Map()
      }),
    )
  }

  /** Has how often each guest entered each point read, before it is counted further. The door goes first. Needs guests. */
  readAdmissions(read: (admissions: Admissions) => Promise<void>): Promise<void> {
    // Readers do not share their work.
    return this.#runner.run(`admissions ${this.#readers++}`, async () => {
      await this.#refresh()
      if (this.#admissions) await read(this.#admissions)
    })
  }

  /** Reads check-ins, guests and the areas of check-in points, which it returns. */
  async #refreshAll(): Promise<Map<string, string>> {
    const [areas] = await Promise.all([this.#accesspoints.areasOf(this.#event_id), this.#refresh()])
    await this.#categories?.refresh()
    return areas
  }

  async #refresh(): Promise<void> {
    await this.#seal()
    const now = Date.now()
    const [lateChanges] = await Promise.all([
      this.#lateChanges.lasting(this.#event_id, new Date(this.#checkedUntil - SKEW_MS)),
      this.#readUnsealed(this.#completeTo),
    ])
    this.#completeTo = Math.max(this.#completeTo, now - COMPLETE_AFTER_MS)
    await this.#sealed.reread(lateChanges, (from, before) => this.#read(from, before, Number.POSITIVE_INFINITY))
    if (lateChanges.some(({ from, to }) => from.getTime() < this.#completeTo && to >= this.#sealed.to))
      await this.#readUnsealed(this.#sealed.to.getTime())
    this.#checkedUntil = now
  }

  /** Reads the unsealed check-ins from the slice of a time on, about as many at once as a segment has. */
  async #readUnsealed(time: number): Promise<void> {
    const start = sliceOf(time)
    this.#unsealed.remove(start, Number.POSITIVE_INFINITY)
    for (let from = new Date(Math.max(start, this.#sealed.to.getTime())); from < END; ) {
      const { rows, to } = await this.#read(from, END)
      this.#unsealed.add(rows)
      from = to
    }
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
      const range = await this.#read(from, new Date(before), isSealed ? Number.POSITIVE_INFINITY : undefined)
      if (range.to.getTime() >= before) {
        this.#unsealed.remove(Number.NEGATIVE_INFINITY, before)
        this.#unsealed.add(range.rows)
        this.#completeTo = Math.max(this.#completeTo, before)
        this.#sealedAt = now
        return false
      }
      const begun = performance.now()
      const isAdded = await this.#sealed.add(segmentOf(from, range, read_at))
      if (!isAdded) await this.#loadSegments()
      await this.#runner.pause(performance.now() - begun)
      if (one) return isAdded
    }
  }

  async #loadSegments(): Promise<void> {
    this.#checkedUntil = Math.min(this.#checkedUntil, await this.#sealed.load())
  }

  #read(from: Date, before: Date, max?: number): Promise<CheckInRange> {
    const pause = this.#runner.pause
    return this.#segments.readRange(this.#event_id, { from, before, pause, ...(max !== undefined && { max }) })
  }
}
