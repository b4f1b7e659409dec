import { createHistogram, type RecordableHistogram } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '../../clients/typescript/client.ts'
import type { DemoEvent } from './event.ts'
import { type DoorName, doors, HALF_HOUR, type PlannedScan } from './plan.ts'

/** A scan and its answer. */
export interface AnsweredScan {
  scan: PlannedScan
  _id: string
  access_status: number
  access_stamp: string
}

/** The state of the arrivals. */
export interface ArrivalState {
  /** Seconds of the event since the doors opened. */
  clock: number
  doors: Map<DoorName, { granted: number; refused: number }>
  /** Scans a second in the last moments. */
  rate: number
  /** From the scan of a code until its answer, in microseconds. */
  latency: RecordableHistogram
  answers: AnsweredScan[]
  /** Scans without an answer, and the error of the first. */
  unanswered: number
  failure?: string
}

const TICK_MS = 2
const RATE_OVER_MS = 1_000

/**
 * Sends the scans of the half hour within `seconds`, in an open loop: each scan is sent when it is due, and its latency counts from then. Ends when
 * all are answered. Calls `onTick` about every 100 ms.
 */
export async function arrive(
  gatehouse: Client,
  event: DemoEvent,
  opened: Date,
  scans: PlannedScan[],
  seconds: number,
  stop: AbortSignal,
  onTick: (progress: ArrivalState) => void,
): Promise<ArrivalState> {
  const progress: ArrivalState = {
    clock: 0,
    doors: new Map(doors.map((door) => [door, { granted: 0, refused: 0 }])),
    rate: 0,
    latency: createHistogram(),
    answers: [],
    unanswered: 0,
  }
  const start = performance.now()
  const inFlight = new Set<Promise<void>>()
  const rate = new RateMeter(start)
  const report = (): void => {
    const now = performance.now()
    progress.clock = Math.min(HALF_HOUR, ((now - start) / 1000 / seconds) * HALF_HOUR)
    progress.rate = rate.at(now, progress.answers.length)
    onTick(progress)
  }
  const reporting = setInterval(report, 100)
  try {
    for (let next = 0; next < scans.length && !stop.aborted; ) {
      const clock = ((performance.now() - start) / 1000 / seconds) * HALF_HOUR
      while (next < scans.length && scans[next]!.at <= clock) {
        const sending = send(gatehouse, event, opened, scans[next]!, progress).finally(() => inFlight.delete(sending))
        inFlight.add(sending)
        next++
      }
      await sleep(TICK_MS)
    }
    await Promise.all(inFlight)
    report()
  } finally {
    clearInterval(reporting)
  }
  progress.rate = (progress.answers.length / (performance.now() - start)) * 1000
  return progress
}

/** Sends one scan, and counts its answer. */
async function send(
  gatehouse: Client,
  { event_id, doorIds }: DemoEvent,
  opened: Date,
  scan: PlannedScan,
  progress: ArrivalState,
): Promise<void> {
  const due = performance.now()
  const body = {
    accesspoint_id: doorIds.get(scan.door)!,
    guest_uid: scan.uid,
    access_stamp: new Date(opened.getTime() + Math.round(scan.at * 1000)).toISOString(),
  }
  const params = { path: { event_id } }
  try {
    const { data } = await gatehouse.POST('/api/v1/events/{event_id}/access_controls.json', { params, body })
    const { _id, access_status, access_stamp } = data
    progress.latency.record(Math.max(1, Math.round((performance.now() - due) * 1000)))
    progress.answers.push({ scan, _id, access_status, access_stamp })
    progress.doors.get(scan.door)![access_status === 0 ? 'granted' : 'refused']++
  } catch (error) {
    progress.unanswered++
    progress.failure ??= (error as Error).message
  }
}

/** Measures answers a second over the last second. */
class RateMeter {
  readonly #marks: { at: number; answered: number }[]

  constructor(start: number) {
    this.#marks = [{ at: start, answered: 0 }]
  }

  at(now: number, answered: number): number {
    this.#marks.push({ at: now, answered })
    while (this.#marks.length > 2 && now - this.#marks[0]!.at > RATE_OVER_MS) this.#marks.shift()
    const [first] = this.#marks
    return ((answered - first!.answered) / (now - first!.at)) * 1000
  }
}
