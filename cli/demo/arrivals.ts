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
  const params = { path: { event_id: event.event_id } }
  const send = async (scan: PlannedScan): Promise<void> => {
    const due = performance.now()
    const body = {
      accesspoint_id: event.doorIds.get(scan.door)!,
      guest_uid: scan.uid,
      access_stamp: new Date(opened.getTime() + Math.round(scan.at * 1000)).toISOString(),
    }
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

  const start = performance.now()
  const inFlight = new Set<Promise<void>>()
  const marks: { at: number; answered: number }[] = [{ at: start, answered: 0 }]
  const look = (): void => {
    const now = performance.now()
    progress.clock = Math.min(HALF_HOUR, ((now - start) / 1000 / seconds) * HALF_HOUR)
    marks.push({ at: now, answered: progress.answers.length })
    while (marks.length > 2 && now - marks[0]!.at > RATE_OVER_MS) marks.shift()
    progress.rate = ((progress.answers.length - marks[0]!.answered) / (now - marks[0]!.at)) * 1000
    onTick(progress)
  }
  const looking = setInterval(look, 100)
  try {
    for (let next = 0; next < scans.length && !stop.aborted; ) {
      const clock = ((performance.now() - start) / 1000 / seconds) * HALF_HOUR
      while (next < scans.length && scans[next]!.at <= clock) {
        const sending = send(scans[next]!).finally(() => inFlight.delete(sending))
        inFlight.add(sending)
        next++
      }
      await sleep(TICK_MS)
    }
    await Promise.all(inFlight)
    look()
  } finally {
    clearInterval(looking)
  }
  progress.rate = (progress.answers.length / (performance.now() - start)) * 1000
  return progress
}
