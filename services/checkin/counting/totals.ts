import { ACCESS_GRANTED } from '@gatehouse/door/decision.ts'

/** What is counted of a check-in. Times in ms. */
export interface CountedCheckIn {
  arrival: number
  /** Its receipt if the device's stamp was ahead of that. */
  stamp: number
  /** The device's stamp, by which entries and exits follow each other. */
  at: number
  accesspoint_id: string
  guest_uid: string
  access_status: number
  persons: number
  /** Whether its persons go out. */
  isExit: boolean
}

/** The number of granted and refused check-ins. */
export type Split = [granted: number, refused: number]

/** Totals as they are stored. */
export interface PlainTotals {
  count: number
  /** Null without check-ins. */
  latest: number | null
  points: [accesspoint_id: string, byStatus: number[]][]
  minutes: [minute: number, granted: number, refused: number][]
}

/** The minute of a time in ms. */
export function minuteOf(time: number): number {
  return Math.floor(time / MINUTE_MS) * MINUTE_MS
}

/** Milliseconds of a minute. */
export const MINUTE_MS = 60_000
const STATUSES = 4

/** Those sums of check-ins that are the sums of their parts. */
export class Totals {
  count = 0
  /** The highest access stamp, in ms; -Infinity without check-ins. */
  latest = Number.NEGATIVE_INFINITY
  /** By check-in point, how many have each status. */
  readonly points = new Map<string, number[]>()
  /** By the minute of the access stamp. */
  readonly minutes = new Map<number, Split>()

  add({ stamp, accesspoint_id, access_status }: CountedCheckIn): void {
    this.count++
    this.latest = Math.max(this.latest, stamp)
    const byStatus = this.#byStatus(accesspoint_id)
    byStatus[access_status] = (byStatus[access_status] ?? 0) + 1
    const split = this.#split(minuteOf(stamp))
    split[access_status === ACCESS_GRANTED ? 0 : 1]++
  }

  merge(other: Totals): void {
    this.count += other.count
    this.latest = Math.max(this.latest, other.latest)
    for (const [point, counts] of other.points) {
      const byStatus = this.#byStatus(point)
      for (const [status, count] of counts.entries()) byStatus[status] = (byStatus[status] ?? 0) + count
    }
    for (const [minute, [granted, refused]] of other.minutes) {
      const split = this.#split(minute)
      split[0] += granted
      split[1] += refused
    }
  }

  plain(): PlainTotals {
    const minutes = [...this.minutes].map(([minute, [granted, refused]]): PlainTotals['minutes'][number] => [
      minute,
      granted,
      refused,
    ])
    return { count: this.count, latest: this.count > 0 ? this.latest : null, points: [...this.points], minutes }
  }

  static of(checkIns: Iterable<CountedCheckIn>): Totals {
    const totals = new Totals()
    for (const checkIn of checkIns) totals.add(checkIn)
    return totals
  }

  /** The totals of all parts together. */
  static sumOf(parts: Iterable<{ totals: Totals }>): Totals {
    const sum = new Totals()
    for (const { totals } of parts) sum.merge(totals)
    return sum
  }

  static from({ count, latest, points, minutes }: PlainTotals): Totals {
    const totals = new Totals()
    totals.count = count
    totals.latest = latest ?? Number.NEGATIVE_INFINITY
    for (const [point, byStatus] of points) totals.points.set(point, byStatus)
    for (const [minute, granted, refused] of minutes) totals.minutes.set(minute, [granted, refused])
    return totals
  }

  #byStatus(point: string): number[] {
    return this.points.getOrInsertComputed(point, () => Array(STATUSES).fill(0))
  }

  #split(minute: number): Split {
    return this.minutes.getOrInsertComputed(minute, () => [0, 0])
  }
}
