import { setTimeout as sleep } from 'node:timers/promises'
import type { DoorClient } from '../client.ts'
import type { DrillEvent } from '../drill-event.ts'
import { now } from '../record.ts'
import { sendFor } from '../scanning.ts'

const BREAK_MS = 250

/** What a door was answered that stays at one gateway during a fault. */
export interface Watched {
  /** Answers by status; 0 where there was none. */
  statuses: Map<number, number>
  /** The longest time in ms without a guest who was let in, from the beginning to the end. */
  longest: number
  /** When the first answer to a scan came that was sent during the fault, in ms from its beginning; undefined without one. */
  first: number | undefined
}

/** Scans at a gateway, one scan after another, until `over`. */
export async function watch(
  client: DoorClient,
  { probe }: DrillEvent,
  gateway: number,
  over: AbortSignal,
): Promise<Watched> {
  const begun = now()
  const watched: Watched = { statuses: new Map(), longest: 0, first: undefined }
  let last = begun
  while (!over.aborted) {
    const { status, at } = await sendFor(client, client.record.scan(probe, 'single'), undefined, gateway)
    watched.statuses.set(status, (watched.statuses.get(status) ?? 0) + 1)
    if (status === 201) {
      watched.first ??= at - begun
      watched.longest = Math.max(watched.longest, at - last)
      last = at
    }
    await sleep(BREAK_MS, undefined, { signal: over }).catch(() => {})
  }
  watched.longest = Math.max(watched.longest, now() - last)
  return watched
}

/** What a door was answered, for a report. */
export function describeWatched({ statuses, longest, first }: Watched): string {
  const answers = [...statuses].sort().map(([status, count]) => `${count} × ${wordsOf(status)}`)
  const since =
    first === undefined ? 'nobody let in' : `let in again after ${seconds(first)}, at most ${seconds(longest)} apart`
  return `${answers.join(', ')}; ${since}`
}

function wordsOf(status: number): string {
  if (status === 0) return 'no answer'
  return status === 503 ? '503 with Retry-After' : String(status)
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`
}
