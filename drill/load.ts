import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '@gatehouse/cli/demo/random.ts'
import type { DoorClient } from './client.ts'
import type { DrillEvent } from './drill-event.ts'
import type { DeviceGate } from './full.ts'
import { now, type RecordedScan, type ScannedGuest } from './record.ts'
import { inEvent, send, sendBatch } from './scanning.ts'

/** Guests who arrive at about the same time, so that devices scan the same ones. */
const QUEUED_SHARE = 25
const MAX_BATCH = 12
const MAX_BREAK_MS = 40
const RETRY_MS = 100
/** How long an unanswered scan is retried. */
const RETRY_FOR_MS = 60_000

/** A device at the doors: sends single scans and batches until `stop`. `progress` goes from 0 to 1. */
export async function scanOn(
  client: DoorClient,
  drillEvent: DrillEvent,
  chance: Random,
  progress: () => number,
  stop: AbortSignal,
  gate?: DeviceGate,
): Promise<void> {
  const { record } = client
  const somewhere = (): ScannedGuest => {
    const first = Math.floor(progress() * Math.max(1, drillEvent.uids.length - QUEUED_SHARE))
    const uid =
      chance.next() < 0.02 ? `nobody-${chance.below(50)}` : drillEvent.uids[first + chance.below(QUEUED_SHARE)]
    return chance.pick(drillEvent.pointsOf(uid as string))
  }
  while (!stop.aborted) {
    await gate?.passing()
    // Otherwise all devices would stay at the gateway to which the last fault moved them.
    if (chance.chance(0.03)) client.turn()
    const kind = chance.next()
    if (kind < 0.35) {
      const scan = record.scan(somewhere(), 'single')
      if (await send(client, scan, undefined)) await maybeDelete(client, drillEvent, chance, scan)
    } else if (kind < 0.5) {
      // Two scanners read a guest's code, or one reads it several times.
      const place = somewhere()
      await Promise.all([1, 2, 3].map(() => send(client, record.scan(place, 'single'), undefined)))
    } else if (kind < 0.8) {
      const scan = record.scan(somewhere(), 'keyed')
      await sendUntilAnswered(client, scan, crypto.randomUUID(), chance)
      if (scan.sent.length === 1) await maybeDelete(client, drillEvent, chance, scan)
    } else {
      await scanBatch(client, chance, somewhere)
    }
    await sleep(chance.below(MAX_BREAK_MS))
  }
}

/** Sends a scan with a key until it is answered; sometimes once more, or twice concurrently. */
export async function sendUntilAnswered(
  client: DoorClient,
  scan: RecordedScan,
  key: string,
  chance: Random,
): Promise<boolean> {
  const until = now() + RETRY_FOR_MS
  const twice = chance.next() < 0.1
  while (scan.answers.length === 0 && now() < until) {
    if (scan.sent.length > 0) await sleep(RETRY_MS)
    await Promise.all(Array.from({ length: twice ? 2 : 1 }, () => send(client, scan, key)))
  }
  if (chance.next() < 0.1) await send(client, scan, key)
  return scan.answers.length > 0
}

/** Sends a batch. Items with stamps count once without a key; half of the batches have one all the same. */
async function scanBatch(client: DoorClient, chance: Random, somewhere: () => ScannedGuest): Promise<void> {
  const { record } = client
  const scans = Array.from({ length: 1 + chance.below(MAX_BATCH) }, () => record.scan(somewhere(), 'batch'))
  const key = chance.next() < 0.5 ? crypto.randomUUID() : undefined
  const until = now() + RETRY_FOR_MS
  while (!(await sendBatch(client, scans, key)) && now() < until) await sleep(RETRY_MS)
  if (chance.next() < 0.1) await sendBatch(client, scans.slice(0, 1 + chance.below(scans.length)), undefined)
}

/** Deletes a scan that was sent once: a pending further try could store the scan again. */
async function maybeDelete(
  client: DoorClient,
  drillEvent: DrillEvent,
  chance: Random,
  scan: RecordedScan,
): Promise<void> {
  const [answer] = scan.answers
  if (!answer || !drillEvent.withDeletions.has(scan.place.point) || chance.next() > 0.3) return
  const deletion: NonNullable<RecordedScan['deletion']> = { sent: now(), answered: undefined }
  scan.deletion = deletion
  const answered = await client.retry('DELETE', inEvent(`access_controls/${answer._id}.json`))
  if (answered) deletion.answered = answered.at
}
