import type { Answer, Client } from './client.ts'
import { now, type Scan } from './record.ts'

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
export function bodyOf({ place, stamp }: Scan): object {
  return { accesspoint_id: place.point, guest_uid: place.uid, access_stamp: stamp }
}

/** Sends a single scan once, and records its answer; false without one. */
export async function send(client: Client, scan: Scan, key: string | undefined, gateway?: number): Promise<boolean> {
  return recordAnswer([scan], () => client.ask('POST', inEvent('access_controls.json'), bodyOf(scan), key, gateway))
}

/** Sends scans as a batch, once. */
export async function sendBatch(client: Client, scans: Scan[], key: string | undefined): Promise<boolean> {
  return recordAnswer(scans, () =>
    client.ask('POST', inEvent('access_controls/batch_create.json'), scans.map(bodyOf), key),
  )
}

async function recordAnswer(scans: Scan[], ask: () => Promise<Answer>): Promise<boolean> {
  for (const scan of scans) scan.sent.push(now())
  const { status, body, at } = await ask()
  if (status !== 201) return false
  const checkIns = Array.isArray(body) ? body : [body]
  for (const [index, scan] of scans.entries()) {
    const { _id, access_status } = checkIns[index]
    scan.answers.push({ _id, status: access_status, at })
  }
  return true
}
