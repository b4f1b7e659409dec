import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { type Client, clientOf } from '@gatehouse/proto/bus/client.ts'
import { fullSentences } from '@gatehouse/proto/declaring/faults.ts'
import { type Caller, isRejected } from '@gatehouse/proto/declaring/resource.ts'
import { forEachConcurrently } from '../concurrency.ts'
import { checkIns } from '../permissions.ts'
import { retried } from '../retry.ts'
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
  refusal?: string
  error?: string
}

/** Check-ins of a page. */
const PAGE = 500
/** Pages of check-ins between the first and the last arrival that are read before each guest is asked for. */
const MOST_PAGES = 4
const MOST_PAGES_OF_GUEST = 20
/** Guests whose check-ins are asked for at once. */
const CONCURRENCY = 8
const MINUTE_MS = 60_000

const REASONS: Partial<Record<string, string>> = {
  unknown_guest: 'the guest is unknown',
  no_right: 'the guest may not enter there',
  too_early: 'the guest may enter later',
  too_late: 'the guest could enter earlier',
  used_up: 'the guest had used up the right to enter',
}

/**
 * Stores arrivals as check-ins of an event with their own times. The check-in of an arrival has an id that follows from guest, point and time, so that
 * it is stored once however often it is sent.
 */
export class CheckInRecorder {
  readonly #checkIns: Client<typeof checkIns>
  readonly #caller: Caller
  readonly #eventId: string
  readonly #mostPages: number

  /** Beyond `mostPages` pages of check-ins in the time of some arrivals, each guest is asked for. */
  constructor(bus: Bus, caller: Caller, eventId: string, mostPages = MOST_PAGES) {
    this.#checkIns = clientOf(bus, checkIns)
    this.#caller = caller
    this.#eventId = eventId
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
    const body = arrivals.map(({ guest_uid, accesspoint_id, at, persons }) => ({
      guest_uid,
      accesspoint_id,
      access_stamp: at,
      ...(persons !== undefined && { persons }),
      // Whoever recorded it let the guest in.
      decided_offline: 0,
    }))
    const answers = await retried(() => this.#checkIns.batch_create({ ...this.#where(), body }))
    return answers.map((answer) => {
      if (isRejected(answer)) return { error: fullSentences(answer.errors).join('; ') }
      if (answer.access_status === 0) return {}
      return { refusal: REASONS[answer.reason ?? ''] ?? 'it is refused' }
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
      const query = { ...filter, since, before, page, per_page: PAGE }
      const found = await retried(() => this.#checkIns.list({ ...this.#where(), query }))
      for (const checkIn of found) {
        const times = stamps.get(keyOf(checkIn)) ?? []
        stamps.set(keyOf(checkIn), times)
        times.push(checkIn.access_stamp.getTime())
      }
      if (found.length < PAGE) return stamps
    }
    return undefined
  }

  #where() {
    return { params: { event_id: this.#eventId }, caller: this.#caller }
  }
}

function keyOf({ guest_uid, accesspoint_id }: Pick<Arrival, 'guest_uid' | 'accesspoint_id'>): string {
  return `${accesspoint_id} ${guest_uid}`
}

function minuteOf(time: number): number {
  return Math.floor(time / MINUTE_MS)
}
