import { derivedId } from '@gatehouse/proto/bus/client.ts'
import { Fault } from '@gatehouse/proto/declaring/faults.ts'
import type { Caller } from '@gatehouse/proto/declaring/resource.ts'
import { textOf } from '@gatehouse/proto/formats/json-writer.ts'
import type { Scan } from '../door/decision.ts'
import type { CheckIn, CheckInStore } from './store.ts'

/**
 * The id of a batch item with a stamp: the same whenever the item is sent, so it is the same scan (docs/interface.md 8.11). It begins
 * with the stamp's seconds, as an ObjectId does: ids of one hour lie together in the index, which makes them cheaper to store.
 */
export function naturalId(
  caller: Caller | undefined,
  eventId: string,
  stamp: Date,
  { accesspoint_id, guest_uid }: { accesspoint_id: string; guest_uid: string },
): string {
  if (!caller) throw new Fault('forbidden')
  const seconds = Math.floor(stamp.getTime() / 1_000) >>> 0
  const hash = derivedId(caller.token_id, eventId, accesspoint_id, guest_uid, textOf(stamp))
  return seconds.toString(16).padStart(8, '0') + hash.slice(8)
}

/**
 * Returns the stored check-in of a scan that is sent again, with what its device has decided since it asked first; undefined if its key stands
 * for another scan.
 */
export async function repeatedCheckIn(store: CheckInStore, checkIn: CheckIn, scan: Scan): Promise<CheckIn | undefined> {
  if (!isSameScan(checkIn, scan)) return undefined
  const { decided_offline } = scan
  const isNews = decided_offline !== undefined && checkIn.decided_offline === undefined
  return isNews ? store.noteDecision(checkIn, decided_offline) : checkIn
}

/** Whether as many persons are meant; at an exit a scan may leave that open. */
function isSameNumber({ persons = 1, direction }: CheckIn, scan: Scan): boolean {
  return scan.persons === undefined && direction === 'out' ? true : persons === (scan.persons ?? 1)
}

/** Whether a stored check-in belongs to this scan: the same key may not stand for another one. */
function isSameScan(checkIn: CheckIn, scan: Scan): boolean {
  return (
    checkIn.event_id === scan.event_id &&
    checkIn.accesspoint_id === scan.accesspoint_id &&
    checkIn.guest_uid === scan.guest_uid &&
    isSameNumber(checkIn, scan) &&
    (scan.access_stamp === undefined || scan.access_stamp.getTime() === checkIn.access_stamp.getTime())
  )
}
