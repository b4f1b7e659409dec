import { forEachConcurrently } from '@gatehouse/proto/concurrency/for-each.ts'
import { type Cause, causeOf, causesOf } from '../problem.ts'
import type { EventSystem } from '../system.ts'
import type { Moment } from './moments.ts'

/** An attendance that was recorded elsewhere. */
export interface Arrival extends Moment {
  guest_uid: string
  accesspoint_id: string
  /** One by default. */
  persons?: number | undefined
}

/** What became of an arrival: a check-in, or why it is none that is granted. */
export interface Recorded {
  refusal?: Cause
  errors?: Cause[]
}

/** Check-ins of a page. */
const PAGE = 500
/** Pages of check-ins between the first and the last arrival that are read before each guest is asked for. */
const MOST_PAGES = 4
const MOST_PAGES_OF_GUEST = 20
/** Guests whose check-ins are asked for at once. */
const CONCURRENCY = 8
const MINUTE_MS = 60_000

/**
 * Stores arrivals as check-ins of an event with their own times. The check-in of an arrival has an id that follows from guest, point and time, so that
 * it is stored once however often it is sent.
 */
export class CheckInRecorder {
  readonly #system: EventSystem
  readonly #mostPages: number

  /** Beyond `mostPages` pages of check-ins in the time of some arrivals, each guest is asked for. */
  constructor(system: EventSystem, mostPages = MOST_PAGES) {
    this.#system = system
    this.#mostPages = mostPages
  }

  /** Which of these arrivals are stored already. A time without seconds is any time of its minute. */
  async stored(arrivals: readonly Arrival[]): Promise<Set<Arrival>> {
    const stored = new Set<Arrival>()
    if (arrivals.length === 0) return stored
    const all = await this.#stampsOf(arrivals, {}, this.#mostPages)
    const groups = [...Map.groupBy(arrivals, keyOf)]
    await forEachConcurrently(groups, CONCURRENCY, new AbortController().signal, async ([key, group]) => {
      const { guest_uid, accesspoint_id } = group[0] as Arrival
      const found = all ?? (await this.#stampsOf(group, { guest_uid, accesspoint_id }, MOST_PAGES_OF_GUEST))
      const stamps = found?.get(key) ?? []
      const [times, minutes] = [new Set(stamps), new Set(stamps.map(minuteOf))]
      for (const arrival of group) {
        const at = arrival.at.getTime()
        if (times.has(at) || (arrival.isMinute && minutes.has(minuteOf(at)))) stored.add(arrival)
      }
    })
    return stored
  }

  /** Stores arrivals. Returns what became of each. */
  async record(arrivals: readonly Arrival[]): Promise<Recorded[]> {
    if (arrivals.length === 0) return []
    const answers = await this.#system.createCheckIns(
      arrivals.map(({ guest_uid, accesspoint_id, at, persons }) => ({
        guest_uid,
        accesspoint_id,
        access_stamp: at,
        ...(persons !== undefined && { persons }),
        // Whoever recorded it let the guest in.
        decided_offline: 0,
      })),
    )
    return answers.map((answer) => {
      if ('errors' in answer) return { errors: causesOf(answer.errors) }
      return answer.access_status === 0
        ? {}
        : { refusal: causeOf('stored_as_refused', { refusal: answer.reason ?? '' }) }
    })
  }

  /**
   * The times of stored check-ins from the first arrival to the last, of all guests or one, by guest and point. Undefined if these are more pages than
   * wanted.
   */
  async #stampsOf(
    arrivals: readonly Arrival[],
    filter: Partial<Pick<Arrival, 'guest_uid' | 'accesspoint_id'>>,
    mostPages: number,
  ): Promise<Map<string, number[]> | undefined> {
    const minutes = arrivals.map(({ at }) => minuteOf(at.getTime()))
    const since = new Date(Math.min(...minutes) * MINUTE_MS)
    const before = new Date((Math.max(...minutes) + 1) * MINUTE_MS)
    const stamps = new Map<string, number[]>()
    for (let page = 1; page <= mostPages; page++) {
      const found = await this.#system.checkIns({ ...filter, since, before, page, per_page: PAGE })
      for (const checkIn of found) {
        const times = stamps.get(keyOf(checkIn)) ?? []
        stamps.set(keyOf(checkIn), times)
        times.push(checkIn.access_stamp.getTime())
      }
      if (found.length < PAGE) return stamps
    }
    return undefined
  }
}

function keyOf({ guest_uid, accesspoint_id }: Pick<Arrival, 'guest_uid' | 'accesspoint_id'>): string {
  return `${accesspoint_id} ${guest_uid}`
}

function minuteOf(time: number): number {
  return Math.floor(time / MINUTE_MS)
}
