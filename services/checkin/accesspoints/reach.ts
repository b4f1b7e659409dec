import { Fault } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import { type Caller, isRejected, type Rejected } from '@gatehouse/proto/declaring/resource.ts'

const OUT_OF_REACH = {
  accesspoint_id: [messageOf('unknown_reference', { thing: 'a check-in point', owner: 'device' })],
}

/** The check-in points to which a caller is bound; undefined if it reaches all of its event. */
export function pointsOf(caller: Caller | undefined): readonly string[] | undefined {
  return caller?.accesspoint_ids
}

/** Whether a caller reaches a check-in point of its event. */
export function reaches(caller: Caller | undefined, accesspoint_id: string): boolean {
  return pointsOf(caller)?.includes(accesspoint_id) ?? true
}

/** Throws `forbidden` if a request is for a check-in point that its caller does not reach. */
export function checkPoint(caller: Caller | undefined, { accesspoint_id }: { accesspoint_id?: string }): void {
  if (accesspoint_id !== undefined && !reaches(caller, accesspoint_id))
    throw new Fault('forbidden', 'The device is bound to other check-in points')
}

/** The items of a batch, of which those at check-in points that the caller does not reach are refused. */
export function withinReach<I extends { accesspoint_id: string }>(
  caller: Caller | undefined,
  items: (I | Rejected<I>)[],
): (I | Rejected<I>)[] {
  if (!pointsOf(caller)) return items
  return items.map((item) =>
    isRejected(item) || reaches(caller, item.accesspoint_id) ? item : { errors: OUT_OF_REACH },
  )
}
