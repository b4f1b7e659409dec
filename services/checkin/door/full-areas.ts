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
 * Each count reads the check-ins of the last half minute. One that took long says for so many times as long whether an area is full; not as long
 * where that depends on this process's scans since.
 */
const LONG_MS = 5
const SURE_FACTOR = 20
const UNSURE_FACTOR = 3
/** It does so for at most this time, or, if other processes would have to let in this many times as many as this one, for a minute. */
const MAX_REST_MS = TOO_OLD_MS
const MAX_FAR_REST_MS = 60_000
const FAR_FACTOR = 10
const MAX_EVENTS = 1_000

/** The last exact counts of an event's areas. */
interface Counts {
  inside: Map<string, number>
  readAt: number
  /** How long the read took, in ms. */
  tookMs: number
  /** Persons whom this process has let in since that was read, by area, and those whom it has let out. */
  since: Map<string, number>
  out: Map<string, number>
}

/**
 * Marks the entries that reach the capacity of an area. Most are far from it: they use the last count and what this process has let in since.
 * Only close to it, or after a pause, a scan waits for an exact count, which has the entries that other processes have answered too. Where counts
 * take long, only a share of the scans does.
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
    const entered = new Map<string, number>()
    const known = this.#counts.get(eventId)
    for (const outcome of outcomes) {
      const area = areaOf(rights, outcome)
      if (!area) continue
      if (!isExit(outcome)) add(entered, area, personsOf(outcome))
      if (known) add(isExit(outcome) ? known.out : known.since, area, personsOf(outcome))
    }
    if (entered.size === 0) return outcomes
    const full = await this.#fullAmong(eventId, rights.capacities, [...entered.keys()])
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
    if (known && isRecent(known, capacities, areas)) return fullBy(known)
    const isNear = (area: string): boolean => {
      const room = capacityOf(area) - insideOf(known, area)
      return room <= Math.max(NEAR_PERSONS, NEAR_SHARE * capacityOf(area))
    }
    const age = known ? performance.now() - known.readAt : Number.POSITIVE_INFINITY
    if (age <= TOO_OLD_MS && !areas.some(isNear)) {
      const isHalfFull = areas.some((area) => insideOf(known, area) >= capacityOf(area) / 2)
      if (age > OLD_MS && isHalfFull) void this.#read(eventId)
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
    const before = { at: performance.now(), ...movesOf(this.#counts.get(eventId)) }
    const inside = await this.#totals.inside(eventId)
    const { since, out } = movesOf(this.#counts.get(eventId))
    for (const [area, persons] of before.since) add(since, area, -persons)
    for (const [area, persons] of before.out) add(out, area, -persons)
    const readAt = performance.now()
    const counts: Counts = { inside: new Map(), readAt, tookMs: readAt - before.at, since, out }
    for (const [area, { inside: many }] of inside) if (area !== null) counts.inside.set(area, many)
    this.#counts.set(eventId, counts)
    return counts
  }
}

/** Whether counts are new enough to say whether areas are full. */
function isRecent(counts: Counts, capacities: Rights['capacities'], areas: string[]): boolean {
  const { inside, readAt, tookMs, since, out } = counts
  if (tookMs < LONG_MS) return false
  const roomIn = (area: string): number => (capacities.get(area) as number) - (inside.get(area) ?? 0)
  const isFar = areas.every((area) => FAR_FACTOR * (since.get(area) ?? 0) < roomIn(area))
  // An entry of somebody who is inside changes nothing, nor an exit of somebody who is not.
  const isSure = areas.every((area) => (since.get(area) ?? 0) < roomIn(area) || -(out.get(area) ?? 0) >= roomIn(area))
  const restMs = Math.min((isSure ? SURE_FACTOR : UNSURE_FACTOR) * tookMs, isFar ? MAX_FAR_REST_MS : MAX_REST_MS)
  return performance.now() - readAt < restMs
}

function insideOf(counts: Counts | undefined, area: string): number {
  return (counts?.inside.get(area) ?? 0) + (counts?.since.get(area) ?? 0) - (counts?.out.get(area) ?? 0)
}

/** Copies of the moves since a count. */
function movesOf(counts: Counts | undefined): Pick<Counts, 'since' | 'out'> {
  return { since: new Map(counts?.since), out: new Map(counts?.out) }
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
