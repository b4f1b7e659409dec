import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import type { Caller } from '@gatehouse/proto/declaring/resource.ts'
import { allPages } from '../pages.ts'
import { accesspoints, checkIns } from '../permissions.ts'
import { retried } from '../retry.ts'

const header = [
  '_id',
  'access_stamp',
  'guest_uid',
  'access_status',
  'decided_offline',
  'accesspoint',
  'accesspoint_id',
  'event_id',
  'created_at',
  'updated_at',
  'stamped_ahead',
  'reason',
  'persons',
  'direction',
]

/** The check-ins of an event as CSV rows, highest access stamp first, below a header. */
export async function* checkInRows(bus: Bus, caller: Caller, event_id: string): AsyncGenerator<string[]> {
  const where = { params: { event_id }, caller }
  const points = await retried(() => clientOf(bus, accesspoints).list(where))
  const names = new Map(points.map(({ _id, name }) => [_id, name]))
  const client = clientOf(bus, checkIns)
  yield header
  for await (const checkIn of allPages((page) => client.list({ ...where, query: page }))) {
    yield [
      checkIn._id,
      checkIn.access_stamp.toISOString(),
      checkIn.guest_uid,
      String(checkIn.access_status),
      // Empty where no device decided.
      String(checkIn.decided_offline ?? ''),
      // A deleted check-in point leaves its check-ins.
      names.get(checkIn.accesspoint_id) ?? '',
      checkIn.accesspoint_id,
      checkIn.event_id,
      checkIn.created_at.toISOString(),
      checkIn.updated_at.toISOString(),
      // Empty where the clock of the device was right.
      String(checkIn.stamped_ahead ?? ''),
      // Empty where it was granted.
      checkIn.reason ?? '',
      String(checkIn.persons),
      // Empty where guests came in.
      checkIn.direction ?? '',
    ]
  }
}
