import { Unfinished } from '@gatehouse/test/load/phases.ts'
import type { DoorClient, DrillAnswer } from './client.ts'
import { now, type RecordedScan } from './record.ts'

/** Scans of a batch, of which very many are sent, and how often it is tried again. */
const BATCH = 500
const MAX_TRIES = 10

let event = ''

/** Sets the event of the drill, which is in all paths. */
export function useEvent(id: string): void {
  event = `events/${id}`
}

/** A path of the drill's event. */
export function inEvent(path: string): string {
  return `${event}/${path}`
}

/** The body of a scan. */
export function bodyOf({ place, stamp, persons }: RecordedScan): object {
  return { accesspoint_id: place.point, guest_uid: place.uid, access_stamp: stamp, persons }
}

/** Sends a single scan once, and records its answer; false without one. */
export async function send(
  client: DoorClient,
  scan: RecordedScan,
  key: string | undefined,
  gateway?: number,
): Promise<boolean> {
  return (await sendFor(client, scan, key, gateway)).status === 201
}

/** Sends a single scan once, and records its answer; returns it. */
export async function sendFor(
  client: DoorClient,
  scan: RecordedScan,
  key: string | undefined,
  gateway?: number,
): Promise<DrillAnswer> {
  return recordAnswer([scan], () => client.ask('POST', inEvent('access_controls.json'), bodyOf(scan), key, gateway))
}

/** Sends scans as a batch, once. */
export async function sendBatch(client: DoorClient, scans: RecordedScan[], key: string | undefined): Promise<boolean> {
  const path = inEvent('access_controls/batch_create.json')
  return (await recordAnswer(scans, () => client.ask('POST', path, scans.map(bodyOf), key))).status === 201
}

/** Sends scans in batches, each until it is answered. */
export async function sendAll(client: DoorClient, scans: RecordedScan[]): Promise<void> {
  for (let start = 0; start < scans.length; start += BATCH) {
    const batch = scans.slice(start, start + BATCH)
    client.phase.waitFor(`the answers to ${scans.length} scans in batches, of which ${start} have come`)
    for (let tries = 0; !(await sendBatch(client, batch, undefined)); tries++)
      if (tries === MAX_TRIES) throw new Unfinished('a batch of scans was not answered, however often it was sent')
  }
}

async function recordAnswer(scans: RecordedScan[], ask: () => Promise<DrillAnswer>): Promise<DrillAnswer> {
  for (const scan of scans) scan.sent.push(now())
  const answer = await ask()
  const { status, body, at } = answer
  if (status !== 201) return answer
  const checkIns = Array.isArray(body) ? body : [body]
  for (const [index, scan] of scans.entries()) {
    const { _id, access_status } = checkIns[index]
    scan.answers.push({ _id, status: access_status, at })
  }
  return answer
}
