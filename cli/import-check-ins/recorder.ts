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

/** Stored check-ins of one guest that are looked at. */
const MOST = 500
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

  constructor(bus: Bus, caller: Caller, eventId: string) {
    this.#checkIns = clientOf(bus, checkIns)
    this.#caller = caller
    this.#eventId = eventId
  }

  /** Which of these arrivals are stored already. A time without seconds is any time of its minute. */
  async stored(arrivals: readonly Arrival[]): Promise<Set<Arrival>> {
    const stored = new Set<Arrival>()
    const groups = Map.groupBy(arrivals, ({ guest_uid, accesspoint_id }) => JSON.stringify([guest_uid, accesspoint_id]))
    await forEachConcurrently([...groups.values()], CONCURRENCY, new AbortController().signal, async (group) => {
      const stamps = await this.#stampsOf(group)
      const minutes = new Set(Array.from(stamps, minuteOf))
      for (const arrival of group) {
        const at = arrival.at.getTime()
        if (stamps.has(at) || (arrival.isMinute && minutes.has(minuteOf(at)))) stored.add(arrival)
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

  /** The times of the check-ins that the guest of some arrivals has at their point, from the first arrival to the last. */
  async #stampsOf(arrivals: readonly Arrival[]): Promise<Set<number>> {
    const { guest_uid, accesspoint_id } = arrivals[0] as Arrival
    const times = arrivals.map(({ at }) => at.getTime())
    const since = new Date(minuteOf(Math.min(...times)) * MINUTE_MS)
    const before = new Date((minuteOf(Math.max(...times)) + 1) * MINUTE_MS)
    const query = { guest_uid, accesspoint_id, since, before, page: 1, per_page: MOST }
    const found = await retried(() => this.#checkIns.list({ ...this.#where(), query }))
    return new Set(found.map(({ access_stamp }) => access_stamp.getTime()))
  }

  #where() {
    return { params: { event_id: this.#eventId }, caller: this.#caller }
  }
}

function minuteOf(time: number): number {
  return Math.floor(time / MINUTE_MS)
}
