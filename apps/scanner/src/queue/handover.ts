import type { StoredScan } from '../scanning/scan.ts'

/** A file with scans that the server does not have, for an organizer to send. */
export interface HandoverFile {
  name: string
  text: string
}

/**
 * The files for scans that their devices can't send any more: of each event one that is the body of a batch. Scans whose codes only the server can
 * read are apart, with the code in place of the uid.
 */
export function handoverOf(waiting: readonly StoredScan[]): HandoverFile[] {
  const groups = Map.groupBy(
    // The server has what it has answered, though not yet what the device decided.
    waiting.filter(({ access_status }) => access_status === null),
    ({ event_id, guest_uid }) => (guest_uid === null ? `ciphered-scans-${event_id}.json` : `scans-${event_id}.json`),
  )
  return [...groups].map(([name, scans]) => ({
    name,
    text: JSON.stringify({ access_controls: scans.map(itemOf) }, null, 2),
  }))
}

function itemOf({ accesspoint_id, guest_uid, content, access_stamp, decided_offline }: StoredScan): object {
  return {
    accesspoint_id,
    ...(guest_uid === null ? { content } : { guest_uid }),
    access_stamp,
    ...(decided_offline !== null && { decided_offline }),
  }
}
