import { setTimeout as sleep } from 'node:timers/promises'
import type { guests } from '@gatehouse/guests/resources'
import type { Client } from '@gatehouse/proto/bus/client.ts'
import { Admissions } from './admissions.ts'
import { Categories } from './categories.ts'
import { type LateChange, type LateChanges, SKEW_MS } from './late-changes.ts'
import type { GuestsByPoint, PackedCheckIns, StringTables } from './packed-check-ins.ts'
import {
  BEGINNING,
  type Bounds,
  type CheckInRange,
  SEALED_AFTER_MS,
  type Segment,
  type SegmentStore,
  segmentOf,
} from './segments.ts'
import { StringTable } from './string-table.ts'
import { MINUTE_MS, minuteOf, type Split, Totals } from './totals.ts'

/** What a view is made from. */
export interface Sources {
  segments: SegmentStore
  lateChanges: LateChanges
  guests: Client<typeof guests>
}

/** What the check-ins of an event add up to. */
export interface Sums {
  totals: Totals
  /** Granted and refused in each minute of the day before the latest check-in, in order. */
  timeline: { minute: Date; granted: number; refused: number }[]
  /** Distinct guests with a granted check-in. */
  guests: number
  /** The same at each check-in point. */
  guestsAt: Map<string, number>
  byCategory: { guest_category_id: string; count: number }[]
}

/** A segment in memory. */
interface Sealed extends Pick<Segment, 'from' | 'to' | 'read_at' | 'totals'> {
  guestsByPoint: GuestsByPoint | undefined
}

/** What some check-ins add up to. */
interface Part {
  totals: Totals
  /** Undefined where guests are not counted. */
  guestsByPoint: GuestsByPoint | undefined
}

/** Settled check-ins that arrived from `from` on within `SLICE_MS`. */
interface Slice extends Part {
  from: number
}

const NONE: Part = { totals: new Totals(), guestsByPoint: undefined }
/**
 * What is settled is held in slices, since what is read once more takes the place of what was read before: readings end where slices do.
 * Short beside the two minutes after which check-ins are sealed.
 */
const SLICE_MS = 10_000
/** Arrivals older than this are complete, except for late changes: 5 s for stamps on time, 10 s for storing, 15 s for clocks apart. */
const SETTLED_MS = 30_000
const TIMELINE_MS = 24 * 3_600_000
/** What nobody waits for in a hurry, sealing too, rests so many times what a piece took, and for one answer or segment no longer than that. */
const PAUSE_FACTOR = 3
const MAX_PAUSES_MS = 12_000

/**
 * What is counted of one event, in memory. Three parts follow each other in the order of arrival: segments, which are kept in the store;
 * what is settled since, which only a disturbance can change; and what is young, which is read anew each time.
 * What failed once fails for good: a view that threw has to be made anew.
 */
export class EventCounts {
  readonly #event_id: string
  readonly #segments: SegmentStore
  readonly #lateChanges: LateChanges
  /** Undefined where only check-ins are counted. */
  readonly #guests: { admissions: Admissions; categories: Categories } | undefined
  readonly #strings: StringTables
  #sealed: Sealed[] = []
  /** Of the segments. */
  #sealedTotals = new Totals()
  #sealedTo = BEGINNING
  #settled: Slice[] = []
  /** Of the slices. */
  #settledTotals = new Totals()
  #settledTo = BEGINNING.getTime()
  #recent = NONE
  /** Disturbances that were over then have been seen to. */
  #checkedUntil = 0
  #sealedAt = 0
  /** Who asks and can not wait. */
  #urgent = 0
  /** How long the reading that goes on has rested, in ms. */
  #paused = 0
  /** What waits for its turn. */
  readonly #waiting = new Map<string, Promise<unknown>>()
  #last: Promise<unknown> = Promise.resolve()

  constructor(event_id: string, sources: Sources, withGuests: boolean) {
    this.#event_id = event_id
    this.#segments = sources.segments
    this.#lateChanges = sources.lateChanges
    if (withGuests) {
      const admissions = new Admissions()
      this.#guests = { admissions, categories: new Categories(sources.guests, event_id, admissions) }
    }
    this.#strings = this.#guests?.admissions.strings ?? { points: new StringTable(), guests: undefined }
  }

  /** Guests that it holds in memory. */
  get size(): number {
    return this.#guests?.admissions.uids.length ?? 0
  }

  /** Hears that guests of the event changed. */
  invalidate(uids: string[]): void {
    this.#guests?.categories.invalidate(uids)
  }

  /** Any guest may have changed. */
  invalidateAll(): void {
    this.#guests?.categories.invalidateAll()
  }

  /**
   * Seals one segment of what is old enough, where that was not done lately. Gives the ms in which its check-ins arrived; undefined
   * where nothing is left for now, or where another process is at it.
   */
  seal(): Promise<number | undefined> {
    return this.#inTurn('seal', async () => {
      this.#paused = 0
      const from = this.#sealedTo.getTime()
      return (await this.#seal(true)) ? this.#sealedTo.getTime() - from : undefined
    })
  }

  /** How many check-ins there are, those included that were answered before this was asked. */
  count(): Promise<number> {
    return this.#urgently(() =>
      this.#inTurn('count', async () => {
        await this.#refresh()
        return this.#sealedTotals.count + this.#settledTotals.count + this.#recent.totals.count
      }),
    )
  }

  /** What they add up to. Of who can wait it may take seconds while many come in. */
  sums(canWait: boolean): Promise<Sums> {
    const sums = () =>
      this.#inTurn('sums', async () => {
        await this.#refresh()
        await this.#guests?.categories.refresh()
        return this.#sums()
      })
    return canWait ? sums() : this.#urgently(sums)
  }

  /** Nothing rests until this is answered, also what was begun before for somebody who can wait. */
  async #urgently<T>(ask: () => Promise<T>): Promise<T> {
    this.#urgent++
    try {
      return await ask()
    } finally {
      this.#urgent--
    }
  }

  readonly #pause = async (tookMs: number): Promise<void> => {
    const ms = Math.min(PAUSE_FACTOR * tookMs, MAX_PAUSES_MS - this.#paused)
    if (this.#urgent > 0 || ms <= 0) return
    this.#paused += ms
    await sleep(ms, undefined, { ref: false })
  }

  /** One after the other. Who asks for what somebody waits for already gets the same; what has begun may have read too early. */
  #inTurn<T>(what: string, work: () => Promise<T>): Promise<T> {
    const waiting = this.#waiting.get(what) as Promise<T> | undefined
    if (waiting) return waiting
    const run = this.#last.then(() => {
      this.#waiting.delete(what)
      return work()
    })
    this.#waiting.set(what, run)
    this.#last = run
    return run
  }

  async #refresh(): Promise<void> {
    this.#paused = 0
    await this.#seal()
    const now = Date.now()
    const [lateChanges, { rows }] = await Promise.all([
      this.#lateChanges.lasting(this.#event_id, new Date(this.#checkedUntil - SKEW_MS)),
      this.#readRange(this.#strings, { from: new Date(this.#settledTo) }),
    ])
    this.#settledTo = Math.max(this.#settledTo, now - SETTLED_MS)
    const [settled, recent] = rows.split(this.#settledTo)
    this.#countGuests(this.#recent.guestsByPoint, -1)
    this.#recent = this.#partOf(recent)
    this.#countGuests(this.#recent.guestsByPoint, 1)
    this.#settle(settled)
    await this.#rereadChanged(lateChanges)
    this.#checkedUntil = now
  }

  async #sums(): Promise<Sums> {
    const totals = new Totals()
    totals.merge(this.#sealedTotals)
    totals.merge(this.#settledTotals)
    totals.merge(this.#recent.totals)
    const { admissions } = this.#guests ?? { admissions: new Admissions() }
    return {
      totals,
      timeline: await this.#timeline(totals),
      guests: admissions.guests,
      // Counted now: who asked may look into it when the view has gone on.
      guestsAt: new Map([...totals.points.keys()].map((point) => [point, admissions.guestsAt(point)])),
      byCategory: admissions.byCategory(),
    }
  }

  async #timeline({ minutes, latest }: Totals): Promise<Sums['timeline']> {
    const from = latest - TIMELINE_MS
    const first = minuteOf(from)
    const within = [...minutes].filter(([minute]) => minute >= first).sort(([one], [other]) => one - other)
    const splits = within.map(([minute, split]) => this.#toTime(minute, split))
    // The day may begin in the midst of its first minute.
    if (within[0]?.[0] === first && from > first) {
      const [granted, refused] = await this.#segments.split(this.#event_id, new Date(from), new Date(first + MINUTE_MS))
      splits[0] = this.#toTime(first, [granted, refused])
    }
    return splits.filter(({ granted, refused }) => granted + refused > 0)
  }

  #toTime(minute: number, [granted, refused]: Split): Sums['timeline'][number] {
    return { minute: new Date(minute), granted, refused }
  }

  /**
   * Takes over what this or another process sealed, seals what more is old enough, and reads the rest up to there once more. Of two
   * processes that seal at the same place the first one counts. With `one` it ends after one segment, and gives whether that counts.
   */
  async #seal(one = false): Promise<boolean> {
    const now = Date.now()
    if (now - this.#sealedAt < SEALED_AFTER_MS) return false
    const oldEnough = sliceOf(now - SEALED_AFTER_MS)
    await this.#loadSegments()
    for (;;) {
      const from = this.#sealedTo
      const read_at = new Date()
      // Another process may have sealed further, up to somewhere within a slice: that one is read to its end, and not sealed.
      const isSealed = from.getTime() >= oldEnough
      const before = isSealed ? endOfSlice(from.getTime()) : oldEnough
      const range = await this.#readRange(this.#allStrings(), {
        from,
        before: new Date(before),
        ...(!isSealed && { max: this.#segments.size }),
      })
      if (range.to.getTime() >= before) {
        this.#replaceSettled(range.rows, before)
        this.#sealedAt = now
        return false
      }
      const begun = performance.now()
      const segment = segmentOf(from, range, read_at)
      const counts = await this.#segments.add(this.#event_id, segment)
      if (counts) this.#addSegment(segment)
      else await this.#loadSegments()
      await this.#pause(performance.now() - begun)
      if (one) return counts
    }
  }

  async #loadSegments(): Promise<void> {
    const withGuests = this.#guests !== undefined
    for await (const segment of this.#segments.kept(this.#event_id, this.#sealedTo, withGuests)) {
      this.#addSegment(segment)
      this.#checkedUntil = Math.min(this.#checkedUntil, segment.read_at.getTime())
    }
  }

  #addSegment(segment: Segment): void {
    this.#sealed.push(this.#counted(segment))
    this.#sealedTotals.merge(segment.totals)
    this.#sealedTo = segment.to
  }

  /** A segment as it is held in memory, its guests counted. */
  #counted({ entered, ...segment }: Segment): Sealed {
    const guestsByPoint = entered && this.#guests?.admissions.guestsByPointOf(entered)
    this.#countGuests(guestsByPoint, 1)
    return { ...segment, guestsByPoint }
  }

  /**
   * Puts what was read anew, from where the segments end until before `before`, in the place of what was read then. No slice may lie on both
   * sides of `before`.
   */
  #replaceSettled(rows: PackedCheckIns, before: number): void {
    for (const { from, guestsByPoint } of this.#settled) if (from < before) this.#countGuests(guestsByPoint, -1)
    this.#settled = this.#settled.filter(({ from }) => from >= before)
    this.#settledTotals = new Totals()
    for (const { totals } of this.#settled) this.#settledTotals.merge(totals)
    this.#settle(rows)
    this.#settledTo = Math.max(this.#settledTo, before)
  }

  #settle(rows: PackedCheckIns): void {
    for (const [from, slice] of rows.slices(SLICE_MS)) {
      const part = this.#partOf(slice)
      this.#settled.push({ from, ...part })
      this.#settledTotals.merge(part.totals)
      this.#countGuests(part.guestsByPoint, 1)
    }
  }

  async #rereadChanged(lateChanges: LateChange[]): Promise<void> {
    for (const [index, { from, to, read_at }] of this.#sealed.entries()) {
      const touches = (each: LateChange): boolean =>
        each.from < to && each.to >= from && read_at.getTime() <= each.until.getTime() + SKEW_MS
      if (lateChanges.some(touches)) await this.#rereadSegment(index)
    }
    const settledTo = new Date(this.#settledTo)
    if (lateChanges.some(({ from, to }) => from < settledTo && to >= this.#sealedTo)) {
      const { rows } = await this.#readRange(this.#strings, { from: this.#sealedTo, before: settledTo })
      this.#replaceSettled(rows, this.#settledTo)
    }
  }

  async #rereadSegment(index: number): Promise<void> {
    const { from, to, guestsByPoint } = this.#sealed[index] as Sealed
    const read_at = new Date()
    const { rows } = await this.#readRange(this.#allStrings(), { from, before: to })
    const segment = segmentOf(from, { rows, to }, read_at)
    await this.#segments.replace(this.#event_id, segment)
    this.#countGuests(guestsByPoint, -1)
    this.#sealed[index] = this.#counted(segment)
    this.#sealedTotals = new Totals()
    for (const { totals } of this.#sealed) this.#sealedTotals.merge(totals)
  }

  #readRange(strings: StringTables, bounds: Bounds): Promise<CheckInRange> {
    return this.#segments.readRange(this.#event_id, strings, { ...bounds, pause: this.#pause })
  }

  /** With guests, whether they are counted here or not: a segment is there for all. */
  #allStrings(): StringTables {
    return this.#guests ? this.#strings : { points: this.#strings.points, guests: new StringTable() }
  }

  #partOf(rows: PackedCheckIns): Part {
    return { totals: Totals.of(rows), guestsByPoint: this.#guestsByPointOf(rows) }
  }

  #guestsByPointOf(rows: PackedCheckIns): GuestsByPoint | undefined {
    return this.#guests && rows.guestsByPoint()
  }

  #countGuests(guestsByPoint: GuestsByPoint | undefined, by: 1 | -1): void {
    if (guestsByPoint) this.#guests?.admissions.count(guestsByPoint, by)
  }
}

/** When the slice began in which a time lies. */
function sliceOf(time: number): number {
  return Math.floor(time / SLICE_MS) * SLICE_MS
}

/** The first time from `time` on at which a slice ends. */
function endOfSlice(time: number): number {
  return Math.ceil(time / SLICE_MS) * SLICE_MS
}
