import { ACCESS_GRANTED } from '@gatehouse/door/decision.ts'
import { timeOfRequest } from '@gatehouse/proto/bus/request-ids.ts'
import { Fault } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import { type Call, type Caller, required } from '@gatehouse/proto/declaring/resource.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import { requirePoint } from '../accesspoints/device-points.ts'
import type { Dependencies } from '../dependencies.ts'
import { entriesOf } from '../entries/reports.ts'
import { isOrganizer } from './ownership.ts'
import { type ShownCheckIn, shown } from './presenting.ts'
import type { checkIns } from './resource.ts'
import type { CheckIn } from './store.ts'

type Delete = Call<(typeof checkIns)['actions']['delete']>

/** Deletes a check-in; a granted one gives its access back. */
export async function deleteCheckIn(
  dependencies: Dependencies,
  { params: { event_id, id }, caller, request_id }: Delete,
): Promise<ShownCheckIn> {
  const { checkIns, outbox, undoMinutes } = dependencies
  const checkIn = found(await checkIns.get(event_id, id))
  if (!isOrganizer(required(caller))) requireUndoable(required(caller), checkIn, undoMinutes)
  return outbox.publishing(
    { type: 'check_in.deleted', event_id, items: [shown(checkIn)] },
    async () => shown(found(await removed(dependencies, checkIn, request_id ? timeOfRequest(request_id) : undefined))),
    (deleted) => [deleted],
  )
}

/** Deletes a check-in, and tells the doors and guests. Null if it is gone. `asked_at` is when that was asked for, by the gateway's clock. */
export async function removed(
  { checkIns, accesspoints, changeLog, entryReports }: Dependencies,
  checkIn: CheckIn,
  asked_at?: Date,
): Promise<CheckIn | null> {
  const { event_id, access_status, accesspoint_id } = checkIn
  // Every door must know of the gap before the deletion makes it.
  if (access_status === ACCESS_GRANTED && (await accesspoints.markGaps(event_id, accesspoint_id)))
    await changeLog.add(event_id, { rights: true })
  const entered = entriesOf([checkIn]).map(({ uid }) => uid)
  return entryReports.changing(event_id, entered, () => checkIns.delete(checkIn, asked_at))
}

/** Throws `forbidden` if a caller at the door may not undo a check-in (docs/interface.md 8.18). */
function requireUndoable(caller: Caller, checkIn: CheckIn, minutes: number): void {
  requirePoint(caller, checkIn)
  if (checkIn.token_id !== caller.token_id) throw new Fault('forbidden', messageOf('undone_elsewhere'))
  // A device's clock may be wrong.
  if (Date.now() - checkIn.created_at.getTime() > minutes * 60_000)
    throw new Fault('forbidden', messageOf('undone_too_late', { minutes }))
}
