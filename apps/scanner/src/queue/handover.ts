import type { StoredScan } from '../scanning/scan.ts'
import { walkInBody } from '../scanning/walk-in.ts'

/** A file with scans that the server does not have, for an organizer to send. */
export interface HandoverFile {
  name: string
  text: string
}

/**
 * The files for scans that their devices can't send any more: of each event one that is the body of a batch. Scans whose codes only the server can
 * read are apart, with the code in place of the uid, and so are walk-ins, of which each is the body of a request.
 */
export function handoverOf(waiting: readonly StoredScan[]): HandoverFile[] {
  const groups = Map.groupBy(
    // The server has what it has answered, though not yet what the device decided.
    waiting.filter(({ access_status }) => access_status === null),
    (scan) => `${kindOf(scan)}-${scan.event_id}.json`,
  )
  return [...groups].map(([name, scans]) => ({
    name,
    text: JSON.stringify({ [scans[0]?.walk_in ? 'walk_ins' : 'access_controls']: scans.map(itemOf) }, null, 2),
  }))
}

function kindOf({ guest_uid, walk_in }: StoredScan): string {
  if (walk_in) return 'walk-ins'
  return guest_uid === null ? 'ciphered-scans' : 'scans'
}

function itemOf(scan: StoredScan): object {
  if (scan.walk_in) return walkInBody(scan, scan.walk_in)
  const { accesspoint_id, guest_uid, content, access_stamp, decided_offline } = scan
  return {
    accesspoint_id,
    ...(guest_uid === null ? { content } : { guest_uid }),
    access_stamp,
    ...(decided_offline !== null && { decided_offline }),
  }
}
