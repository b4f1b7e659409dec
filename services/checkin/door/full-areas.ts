import { setTimeout as sleep } from 'node:timers/promises'
import { ACCESS_GRANTED } from '@gatehouse/door/decision.ts'
import { growingCache } from '@gatehouse/proto/storage/growing-cache.ts'
import type { CheckIn } from '../check-ins/store.ts'
import type { EventTotals } from '../counting/event-totals.ts'
import type { Rights } from './decision.ts'
import type { DecisionResult } from './flush.ts'

/** How long a scan waits for an exact count. */
const WAIT_MS = 250
/** After this time a count is read again in the background, unless more than half of the area is free. */
const OLD_MS = 500
/** After this time a scan waits for it: meanwhile other processes may have let in many. */
const TOO_OLD_MS = 5_000
/** A scan waits for an exact count if the room left is at most this share of the capacity, or for this many persons. */
const NEAR_SHARE = 0.1
const NEAR_PERSONS = 50
/**
 * Each count reads the check-ins of the last half minute. In a rush that takes long: it may for a second, and then for this share of the time. Half
 * of that second is for scans close to the capacity.
 */
const MAX_CREDIT_MS = 1_000
const COUNTING_SHARE = 0.05
const MAX_EVENTS = 1_000

/** The last exact counts of an event's areas. */
interface Counts {
  inside: Map<string, number>
  readAt: number
  /** How long reads might take from then on, in ms. */
  credit: number
  /** Persons whom this process has let in since that was read, less those whom it has let out, by area. */
  since: Map<string, number>
}

/**
 * Marks the entries that reach the capacity of an area. Most are far from it: they use the last count and what this process has let in since.
 * Only close to it, or after a pause, a scan waits for an exact count, which has the entries that other processes have answered too.
 */
export class FullAreas {
  readonly #totals: Pick<EventTotals, 'inside'>
  readonly #waitMs: number
  readonly #counts = growingCache<Counts>(MAX_EVENTS)
  readonly #reads = new Map<string, Promise<Counts | undefined>>()

  constructor(totals: Pick<EventTotals, 'inside'>, waitMs = WAIT_MS) {
    this.#totals = totals
    this.#waitMs = waitMs
  }

  /** Returns outcomes of an event's scans, those of entries into full areas with `area_full`. */
  async mark(eventId: string, rights: Rights, outcomes: DecisionResult[]): Promise<DecisionResult[]> {
    const entered = new Set<string>()
    const known = this.#counts.get(eventId)
    for (const outcome of outcomes) {
      const area = areaOf(rights, outcome)
      if (!area) continue
      if (!isExit(outcome)) entered.add(area)
      if (known) add(known.since, area, isExit(outcome) ? -personsOf(outcome) : personsOf(outcome))
    }
    if (entered.size === 0) return outcomes
    const full = await this.#fullAmong(eventId, rights.capacities, [...entered])
    if (full.size === 0) return outcomes
    return outcomes.map((outcome) => {
      const area = isExit(outcome) ? undefined : areaOf(rights, outcome)
      if (!area || !full.has(area) || 'errors' in outcome) return outcome
      // A copy: the check-in is being published.
      return { ...outcome, checkIn: { ...outcome.checkIn, area_full: true as const } }
    })
  }

  /** The areas among those just entered that are full. */
  async #fullAmong(eventId: string, capacities: Rights['capacities'], areas: string[]): Promise<Set<string>> {
    const known = this.#counts.get(eventId)
    const capacityOf = (area: string): number => capacities.get(area) as number
    const fullBy = (counts: Counts | undefined) =>
      new Set(areas.filter((area) => insideOf(counts, area) >= capacityOf(area)))
    const now = performance.now()
    const credit = known ? creditOf(known, now) : MAX_CREDIT_MS
    if (credit <= 0) return fullBy(known)
    const isNear = (area: string): boolean => {
      const room = capacityOf(area) - insideOf(known, area)
      return room <= Math.max(NEAR_PERSONS, NEAR_SHARE * capacityOf(area))
    }
    const age = known ? now - known.readAt : Number.POSITIVE_INFINITY
    const mayLook = credit > MAX_CREDIT_MS / 2
    if (!areas.some(isNear) && !(mayLook && age > TOO_OLD_MS)) {
      const isHalfFull = areas.some((area) => insideOf(known, area) >= capacityOf(area) / 2)
      if (mayLook && age > OLD_MS && isHalfFull) void this.#read(eventId)
      return new Set()
    }
    const late = new AbortController()
    const timer = sleep(this.#waitMs, undefined, { signal: late.signal }).catch(() => undefined)
    const counts = (await Promise.race([this.#readAnew(eventId), timer])) ?? this.#counts.get(eventId)
    late.abort()
    return fullBy(counts)
  }

  /** Reads counts that include all that was answered before this call: a read that is under way may have begun too early. */
  async #readAnew(eventId: string): Promise<Counts | undefined> {
    await this.#reads.get(eventId)
    return this.#read(eventId)
  }

  /** Reads the counts; undefined if that fails. Callers share a read. */
  #read(eventId: string): Promise<Counts | undefined> {
    const reading = this.#reads.getOrInsertComputed(eventId, () =>
      this.#readCounts(eventId)
        .catch(() => undefined)
        .finally(() => this.#reads.delete(eventId)),
    )
    return reading
  }

  async #readCounts(eventId: string): Promise<Counts> {
    const before = this.#counts.get(eventId)
    const begunAt = performance.now()
    const begun = new Map(before?.since)
    const inside = await this.#totals.inside(eventId)
    const readAt = performance.now()
    const credit = (before ? creditOf(before, begunAt) : MAX_CREDIT_MS) - (readAt - begunAt)
    const since = new Map(this.#counts.get(eventId)?.since)
    for (const [area, persons] of begun) add(since, area, -persons)
    const counts: Counts = { inside: new Map(), readAt, credit, since }
    for (const [area, { inside: many }] of inside) if (area !== null) counts.inside.set(area, many)
    this.#counts.set(eventId, counts)
    return counts
  }
}

/** How long reads may take now, in ms. */
function creditOf({ credit, readAt }: Counts, now: number): number {
  return Math.min(MAX_CREDIT_MS, credit + COUNTING_SHARE * (now - readAt))
}

function insideOf(counts: Counts | undefined, area: string): number {
  return (counts?.inside.get(area) ?? 0) + (counts?.since.get(area) ?? 0)
}

function add(persons: Map<string, number>, area: string, by: number): void {
  persons.set(area, (persons.get(area) ?? 0) + by)
}

/** The area with a capacity that a scan has just let in or out. */
function areaOf(rights: Rights, outcome: DecisionResult): string | undefined {
  if (!isNewGrant(outcome)) return undefined
  const area = rights.areaOf.get(outcome.checkIn.accesspoint_id)
  return area !== undefined && rights.capacities.has(area) ? area : undefined
}

function isNewGrant(outcome: DecisionResult): outcome is { checkIn: CheckIn; repeated: boolean } {
  return !('errors' in outcome || outcome.repeated) && outcome.checkIn.access_status === ACCESS_GRANTED
}

function isExit(outcome: DecisionResult): boolean {
  return 'checkIn' in outcome && outcome.checkIn.direction === 'out'
}

function personsOf(outcome: DecisionResult): number {
  return 'errors' in outcome ? 0 : (outcome.checkIn.persons ?? 1)
}
