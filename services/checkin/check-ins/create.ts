import { timeOfRequest } from '@gatehouse/proto/bus/request-ids.ts'
import { invalid, unavailable } from '@gatehouse/proto/declaring/faults.ts'
import type { Call } from '@gatehouse/proto/declaring/resource.ts'
import { reusedKey, runningKey } from '@gatehouse/proto/serving/idempotency.ts'
import { currentSpan } from '@gatehouse/proto/telemetry/tracing.ts'
import { requirePoint } from '../accesspoints/device-points.ts'
import { NO_POINT } from '../accesspoints/store.ts'
import type { Dependencies } from '../dependencies.ts'
import type { Scan } from '../door/decision.ts'
import type { Door } from '../door/door.ts'
import type { Decided } from '../door/flush.ts'
import { makerOf } from './ownership.ts'
import { type ShownCheckIn, shown } from './presenting.ts'
import type { checkIns } from './resource.ts'
import { repeatedCheckIn } from './scan-identity.ts'

/** Decides a scan and stores it as a check-in, also if it is refused. */
export async function create(
  dependencies: Dependencies,
  call: Call<(typeof checkIns)['actions']['create']>,
): Promise<ShownCheckIn> {
  const { params, body: given, accept, caller, newId, idempotency_key, request_id } = call
  const { accesspoints, accessCache, door, checkIns } = dependencies
  const { event_id } = params
  requirePoint(caller, given)
  const body = await accept({}, async () => {
    const { accesspoint_id } = given
    return accesspoint_id === undefined || (await accesspoints.get(event_id, accesspoint_id)) ? {} : NO_POINT
  })
  const [guest_uid = body.guest_uid] = await accessCache.uidsOf(event_id, [body.guest_uid])
  const scan: Scan = {
    _id: newId(),
    event_id,
    ...body,
    guest_uid,
    access_stamp: body.access_stamp ?? undefined,
    decided_offline: body.decided_offline ?? undefined,
    token_id: makerOf(caller),
    asked_at: request_id ? timeOfRequest(request_id) : undefined,
  }
  if (!idempotency_key) return shown((await enter(door, scan)).checkIn)
  const { checkIn, repeated } = await enterOnce(dependencies, scan, request_id)
  call.replayed = repeated
  if (!repeated) return shown(checkIn)
  const stored = await repeatedCheckIn(checkIns, checkIn, scan)
  if (!stored) throw reusedKey()
  return shown(stored)
}

/** Decides a single scan. Throws its errors (422). */
export async function enter(door: Door, scan: Scan): Promise<Decided> {
  const { event_id, accesspoint_id } = scan
  currentSpan()?.setAttributes({ 'gatehouse.event.id': event_id, 'gatehouse.accesspoint.id': accesspoint_id })
  const [outcome] = await door.enter(event_id, [scan])
  if (!outcome) throw unavailable()
  if ('errors' in outcome) throw invalid(outcome.errors)
  return outcome
}

/** Decides a scan with an `Idempotency-Key`. Throws 409 while another request with the key is at work here and nothing is stored. */
async function enterOnce(
  { runningScans, checkIns, door }: Dependencies,
  scan: Scan,
  request_id: string | undefined,
): Promise<Decided> {
  const { _id } = scan
  const isSameRequest = request_id !== undefined && runningScans.get(_id) === request_id
  if (runningScans.has(_id) && !isSameRequest) {
    // It may be answered: by another process, when this one was slow.
    const checkIn = (await checkIns.findMany([_id])).get(_id)
    if (!checkIn) throw runningKey()
    return { checkIn, repeated: true }
  }
  runningScans.set(_id, request_id)
  try {
    return await enter(door, scan)
  } finally {
    runningScans.delete(_id)
  }
}
