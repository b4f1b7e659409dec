import type { StoredScan } from '../scanning/scan.ts'

/** Items of a batch: a few seconds even on a bad network. */
export const MAX_BATCH = 500

/**
 * The next scans to send, of those that wait in their order: the oldest alone if the server was asked for it alone before, or has to read its
 * code; otherwise as many as follow it and go into one batch.
 */
export function shipmentOf(waiting: readonly StoredScan[]): StoredScan[] {
  const end = waiting.findIndex(goesAlone)
  if (end === 0) return waiting.slice(0, 1)
  return waiting.slice(0, Math.min(end < 0 ? waiting.length : end, MAX_BATCH))
}

/**
 * Those of the scans that wait that wait longer, since a shipment of them could not be judged: what may go up without them is not held up. Where the
 * server could not read a code it reads no other now.
 */
export function heldUpWith(shipment: readonly StoredScan[], waiting: readonly StoredScan[]): StoredScan[] {
  const isCiphered = ({ guest_uid }: StoredScan): boolean => guest_uid === null
  return shipment.some(isCiphered) ? waiting.filter(isCiphered) : [...shipment]
}

/** Whether a scan has to be sent by itself. */
export function goesAlone({ is_asked, guest_uid, walk_in }: StoredScan): boolean {
  return is_asked || guest_uid === null || walk_in !== undefined
}

/**
 * Those of the scans that wait that may be sent while the server is being asked for some of them: neither these nor later ones of the same guest at
 * the same check-in point, which the server would decide in the wrong order. One that was undone holds up later ones too, until the server has
 * deleted it: one that waits itself, or one of `undoing`, whose check-in the server could not delete yet.
 */
export function sendable(
  waiting: readonly StoredScan[],
  asking: ReadonlySet<number>,
  undoing: readonly StoredScan[],
): StoredScan[] {
  const placeOf = ({ accesspoint_id, guest_uid }: StoredScan): string => `${accesspoint_id} ${guest_uid}`
  const asked = new Set(undoing.map(placeOf))
  return waiting.filter((scan) => {
    const isAsked = asking.has(scan.sequence)
    // Whose code is not read yet is nobody's.
    const isHeldUp = asked.has(placeOf(scan))
    if ((isAsked || scan.is_undone) && scan.guest_uid !== null) asked.add(placeOf(scan))
    return !isAsked && !isHeldUp
  })
}
