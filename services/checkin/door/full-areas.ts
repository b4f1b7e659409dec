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
const MAX_EVENTS = 1_000

/** The last exact counts of an event's areas. */
interface Counts {
  inside: Map<string, number>
  readAt: number
  /** Persons whom this process has let in since that was read, by area. */
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
    const entered = new Map<string, number>()
    for (const outcome of outcomes) {
      const area = areaEntered(rights, outcome)
      if (area) entered.set(area, (entered.get(area) ?? 0) + personsOf(outcome))
    }
    if (entered.size === 0) return outcomes
    const full = await this.#fullAmong(eventId, rights.capacities, entered)
    if (full.size === 0) return outcomes
    return outcomes.map((outcome) => {
      const area = areaEntered(rights, outcome)
      if (!area || !full.has(area) || 'errors' in outcome) return outcome
      // A copy: the check-in is being published.
      return { ...outcome, checkIn: { ...outcome.checkIn, area_full: true as const } }
    })
  }

  /** The areas among those just entered that are full. */
  async #fullAmong(
    eventId: string,
    capacities: Rights['capacities'],
    entered: Map<string, number>,
  ): Promise<Set<string>> {
    const known = this.#counts.get(eventId)
    if (known) for (const [area, persons] of entered) known.since.set(area, (known.since.get(area) ?? 0) + persons)
    const areas = [...entered.keys()]
    const capacityOf = (area: string): number => capacities.get(area) as number
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
    return new Set(areas.filter((area) => insideOf(counts, area) >= capacityOf(area)))
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
    const begun = new Map(this.#counts.get(eventId)?.since)
    const inside = await this.#totals.inside(eventId)
    const since = new Map(this.#counts.get(eventId)?.since)
    for (const [area, persons] of begun) since.set(area, (since.get(area) ?? 0) - persons)
    const counts: Counts = { inside: new Map(), readAt: performance.now(), since }
    for (const [area, { inside: many }] of inside) if (area !== null) counts.inside.set(area, many)
    this.#counts.set(eventId, counts)
    return counts
  }
}

function insideOf(counts: Counts | undefined, area: string): number {
  return (counts?.inside.get(area) ?? 0) + (counts?.since.get(area) ?? 0)
}

/** The area with a capacity that a scan has just entered. */
function areaEntered({ areaOf, capacities }: Rights, outcome: DecisionResult): string | undefined {
  if (!isNewEntry(outcome)) return undefined
  const area = areaOf.get(outcome.checkIn.accesspoint_id)
  return area !== undefined && capacities.has(area) ? area : undefined
}

function isNewEntry(outcome: DecisionResult): outcome is { checkIn: CheckIn; repeated: boolean } {
  if ('errors' in outcome || outcome.repeated) return false
  return outcome.checkIn.access_status === ACCESS_GRANTED && outcome.checkIn.direction !== 'out'
}

function personsOf(outcome: DecisionResult): number {
  return 'errors' in outcome ? 0 : (outcome.checkIn.persons ?? 1)
}
