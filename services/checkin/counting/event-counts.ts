import { setTimeout as sleep } from 'node:timers/promises'
import type { guests } from '@gatehouse/guests/resources'
import type { Client } from '@gatehouse/proto/bus/client.ts'
import { Admissions } from './admissions.ts'
import { SETTLED_MS, SKEW_MS } from './arrival.ts'
import { Categories } from './categories.ts'
import type { Disturbance, Disturbances } from './late-changes.ts'
import type { PackedCheckIns, Places, Roll } from './packed-check-ins.ts'
import {
  BEGINNING,
  type Bounds,
  SEALED_AFTER_MS,
  type Segment,
  type SegmentStore,
  type Stretch,
  segmentOf,
} from './segments.ts'
import { Numbered } from './string-table.ts'
import { MINUTE_MS, minuteOf, type Split, Tally } from './totals.ts'

/** What a view is made from. */
export interface Sources {
  segments: SegmentStore
  disturbances: Disturbances
  guests: Client<typeof guests>
}

/** What the check-ins of an event add up to. */
export interface Sums {
  tally: Tally
  /** Granted and refused in each minute of the day before the latest check-in, in order. */
  timeline: { minute: Date; granted: number; refused: number }[]
  /** Distinct guests with a granted check-in. */
  guests: number
  /** The same at each check-in point. */
  guestsAt: Map<string, number>
  byCategory: { guest_category_id: string; count: number }[]
}

/** A segment in memory. */
interface Sealed extends Pick<Segment, 'from' | 'to' | 'read_at' | 'tally'> {
  places: Places | undefined
}

/** What some check-ins add up to. */
interface Part {
  tally: Tally
  /** Undefined where guests are not counted. */
  places: Places | undefined
}

/** Settled check-ins that arrived from `from` on within `SLICE_MS`. */
interface Slice extends Part {
  from: number
}

const NONE: Part = { tally: new Tally(), places: undefined }
/**
 * What is settled is held in slices, since what is read once more takes the place of what was read before: readings end where slices do.
 * Short beside the two minutes after which check-ins are sealed.
 */
const SLICE_MS = 10_000
const TIMELINE_MS = 24 * 3_600_000
/** What nobody waits for in a hurry, sealing too, rests so many times what a piece took, and for one answer or segment no longer than that. */
const RESTS = 3
const LONGEST_RESTS_MS = 12_000

/**
 * What is counted of one event, in memory. Three parts follow each other in the order of arrival: segments, which are kept in the store;
 * what is settled since, which only a disturbance can change; and what is young, which is read anew each time.
 * What failed once fails for good: a view that threw has to be made anew.
 */
export class View {
  readonly #event_id: string
  readonly #segments: SegmentStore
  readonly #disturbances: Disturbances
  /** Undefined where only check-ins are counted. */
  readonly #guests: { admissions: Admissions; categories: Categories } | undefined
  readonly #roll: Roll
  #sealed: Sealed[] = []
  /** Of the segments. */
  #sum = new Tally()
  #sealedTo = BEGINNING
  #settled: Slice[] = []
  /** Of the slices. */
  #settledTally = new Tally()
  #settledTo = BEGINNING.getTime()
  #young = NONE
  /** Disturbances that were over then have been seen to. */
  #calmSince = 0
  #sealedAt = 0
  /** Who asks and can not wait. */
  #hurried = 0
  /** How long the reading that goes on has rested, in ms. */
  #rested = 0
  /** What waits for its turn. */
  readonly #waiting = new Map<string, Promise<unknown>>()
  #last: Promise<unknown> = Promise.resolve()

  constructor(event_id: string, sources: Sources, withGuests: boolean) {
    this.#event_id = event_id
    this.#segments = sources.segments
    this.#disturbances = sources.disturbances
    if (withGuests) {
      const admissions = new Admissions()
      this.#guests = { admissions, categories: new Categories(sources.guests, event_id, admissions) }
    }
    this.#roll = this.#guests?.admissions.roll ?? { points: new Numbered(), guests: undefined }
  }

  /** Guests that it holds in memory. */
  get size(): number {
    return this.#guests?.admissions.uids.length ?? 0
  }

  /** Hears that guests of the event changed. */
  changed(uids: string[]): void {
    this.#guests?.categories.changed(uids)
  }

  /** Any guest may have changed. */
  changedUnheard(): void {
    this.#guests?.categories.changedUnheard()
  }

  /**
   * Seals one segment of what is old enough, where that was not done lately. Gives the ms in which its check-ins arrived; undefined
   * where nothing is left for now, or where another process is at it.
   */
  seal(): Promise<number | undefined> {
    return this.#inTurn('seal', async () => {
      this.#rested = 0
      const from = this.#sealedTo.getTime()
      return (await this.#seal(true)) ? this.#sealedTo.getTime() - from : undefined
    })
  }

  /** How many check-ins there are, those included that were answered before this was asked. */
  count(): Promise<number> {
    return this.#hurry(() =>
      this.#inTurn('count', async () => {
        await this.#refresh()
        return this.#sum.count + this.#settledTally.count + this.#young.tally.count
      }),
    )
  }

  /** What they add up to. Of who can wait it may take seconds while many come in. */
  sums(canWait: boolean): Promise<Sums> {
    const sums = () =>
      this.#inTurn('sums', async () => {
        await this.#refresh()
        await this.#guests?.categories.follow()
        return this.#sums()
      })
    return canWait ? sums() : this.#hurry(sums)
  }

  /** Nothing rests until this is answered, also what was begun before for somebody who can wait. */
  async #hurry<T>(ask: () => Promise<T>): Promise<T> {
    this.#hurried++
    try {
      return await ask()
    } finally {
      this.#hurried--
    }
  }

  readonly #pause = async (tookMs: number): Promise<void> => {
    const ms = Math.min(RESTS * tookMs, LONGEST_RESTS_MS - this.#rested)
    if (this.#hurried > 0 || ms <= 0) return
    this.#rested += ms
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
    this.#rested = 0
    await this.#seal()
    const now = Date.now()
    const [disturbances, { rows }] = await Promise.all([
      this.#disturbances.lasting(this.#event_id, new Date(this.#calmSince - SKEW_MS)),
      this.#stretch(this.#roll, { from: new Date(this.#settledTo) }),
    ])
    this.#settledTo = Math.max(this.#settledTo, now - SETTLED_MS)
    const [settled, young] = rows.split(this.#settledTo)
    this.#countPlaces(this.#young.places, -1)
    this.#young = this.#partOf(young)
    this.#countPlaces(this.#young.places, 1)
    this.#settle(settled)
    await this.#reread(disturbances)
    this.#calmSince = now
  }

  async #sums(): Promise<Sums> {
    const tally = new Tally()
    tally.merge(this.#sum)
    tally.merge(this.#settledTally)
    tally.merge(this.#young.tally)
    const { admissions } = this.#guests ?? { admissions: new Admissions() }
    return {
      tally,
      timeline: await this.#timeline(tally),
      guests: admissions.guests,
      // Counted now: who asked may look into it when the view has gone on.
      guestsAt: new Map([...tally.points.keys()].map((point) => [point, admissions.guestsAt(point)])),
      byCategory: admissions.byCategory(),
    }
  }

  async #timeline({ minutes, latest }: Tally): Promise<Sums['timeline']> {
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
    await this.#takeKept()
    for (;;) {
      const from = this.#sealedTo
      const read_at = new Date()
      // Another process may have sealed further, up to somewhere within a slice: that one is read to its end, and not sealed.
      const isSealed = from.getTime() >= oldEnough
      const before = isSealed ? endOfSlice(from.getTime()) : oldEnough
      const stretch = await this.#stretch(this.#fullRoll(), {
        from,
        before: new Date(before),
        ...(!isSealed && { most: this.#segments.size }),
      })
      if (stretch.to.getTime() >= before) {
        this.#review(stretch.rows, before)
        this.#sealedAt = now
        return false
      }
      const begun = performance.now()
      const segment = segmentOf(from, stretch, read_at)
      const counts = await this.#segments.add(this.#event_id, segment)
      if (counts) this.#take(segment)
      else await this.#takeKept()
      await this.#pause(performance.now() - begun)
      if (one) return counts
    }
  }

  async #takeKept(): Promise<void> {
    const withGuests = this.#guests !== undefined
    for await (const segment of this.#segments.kept(this.#event_id, this.#sealedTo, withGuests)) {
      this.#take(segment)
      this.#calmSince = Math.min(this.#calmSince, segment.read_at.getTime())
    }
  }

  #take(segment: Segment): void {
    this.#sealed.push(this.#held(segment))
    this.#sum.merge(segment.tally)
    this.#sealedTo = segment.to
  }

  /** A segment as it is held in memory, its guests counted. */
  #held({ entered, ...segment }: Segment): Sealed {
    const places = entered && this.#guests?.admissions.placesOf(entered)
    this.#countPlaces(places, 1)
    return { ...segment, places }
  }

  /**
   * Puts what was read anew, from where the segments end until before `before`, in the place of what was read then. No slice may lie on both
   * sides of `before`.
   */
  #review(rows: PackedCheckIns, before: number): void {
    for (const { from, places } of this.#settled) if (from < before) this.#countPlaces(places, -1)
    this.#settled = this.#settled.filter(({ from }) => from >= before)
    this.#settledTally = new Tally()
    for (const { tally } of this.#settled) this.#settledTally.merge(tally)
    this.#settle(rows)
    this.#settledTo = Math.max(this.#settledTo, before)
  }

  #settle(rows: PackedCheckIns): void {
    for (const [from, slice] of rows.slices(SLICE_MS)) {
      const part = this.#partOf(slice)
      this.#settled.push({ from, ...part })
      this.#settledTally.merge(part.tally)
      this.#countPlaces(part.places, 1)
    }
  }

  async #reread(disturbances: Disturbance[]): Promise<void> {
    for (const [index, { from, to, read_at }] of this.#sealed.entries()) {
      const touches = (each: Disturbance): boolean =>
        each.from < to && each.to >= from && read_at.getTime() <= each.until.getTime() + SKEW_MS
      if (disturbances.some(touches)) await this.#renew(index)
    }
    const settledTo = new Date(this.#settledTo)
    if (disturbances.some(({ from, to }) => from < settledTo && to >= this.#sealedTo)) {
      const { rows } = await this.#stretch(this.#roll, { from: this.#sealedTo, before: settledTo })
      this.#review(rows, this.#settledTo)
    }
  }

  async #renew(index: number): Promise<void> {
    const { from, to, places } = this.#sealed[index] as Sealed
    const read_at = new Date()
    const { rows } = await this.#stretch(this.#fullRoll(), { from, before: to })
    const segment = segmentOf(from, { rows, to }, read_at)
    await this.#segments.renew(this.#event_id, segment)
    this.#countPlaces(places, -1)
    this.#sealed[index] = this.#held(segment)
    this.#sum = new Tally()
    for (const { tally } of this.#sealed) this.#sum.merge(tally)
  }

  #stretch(roll: Roll, bounds: Bounds): Promise<Stretch> {
    return this.#segments.stretch(this.#event_id, roll, { ...bounds, pause: this.#pause })
  }

  /** With guests, whether they are counted here or not: a segment is there for all. */
  #fullRoll(): Roll {
    return this.#guests ? this.#roll : { points: this.#roll.points, guests: new Numbered() }
  }

  #partOf(rows: PackedCheckIns): Part {
    return { tally: Tally.of(rows), places: this.#placesOf(rows) }
  }

  #placesOf(rows: PackedCheckIns): Places | undefined {
    return this.#guests && rows.places()
  }

  #countPlaces(places: Places | undefined, by: 1 | -1): void {
    if (places) this.#guests?.admissions.count(places, by)
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
