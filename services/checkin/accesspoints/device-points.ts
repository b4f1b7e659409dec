import { Fault } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import { type Caller, isRejected, type Rejected } from '@gatehouse/proto/declaring/resource.ts'

const OTHER_POINT = {
  accesspoint_id: [messageOf('unknown_reference', { thing: 'a check-in point', owner: 'device' })],
}

/** The check-in points to which a caller is bound; undefined if it may use all of its event. */
export function boundPoints(caller: Caller | undefined): readonly string[] | undefined {
  return caller?.accesspoint_ids
}

/** Whether a caller may use a check-in point of its event. */
export function mayUsePoint(caller: Caller | undefined, accesspoint_id: string): boolean {
  return boundPoints(caller)?.includes(accesspoint_id) ?? true
}

/** Throws `forbidden` if a request is for a check-in point that its caller may not use. */
export function requirePoint(caller: Caller | undefined, { accesspoint_id }: { accesspoint_id?: string }): void {
  if (accesspoint_id !== undefined && !mayUsePoint(caller, accesspoint_id))
    throw new Fault('forbidden', messageOf('other_points'))
}

/** The items of a batch, with those refused that are for check-in points that the caller may not use. */
export function refuseOtherPoints<I extends { accesspoint_id: string }>(
  caller: Caller | undefined,
  items: (I | Rejected<I>)[],
): (I | Rejected<I>)[] {
  if (!boundPoints(caller)) return items
  return items.map((item) =>
    isRejected(item) || mayUsePoint(caller, item.accesspoint_id) ? item : { errors: OTHER_POINT },
  )
}
