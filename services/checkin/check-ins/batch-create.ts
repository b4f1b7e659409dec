import { timeOfRequest } from '@gatehouse/proto/bus/request-ids.ts'
import { GIVING_WAY, inChunks } from '@gatehouse/proto/concurrency/chunks.ts'
import { timeSlicer } from '@gatehouse/proto/concurrency/time-slices.ts'
import { alsoWrong, type Call, isRejected, type Rejected, required } from '@gatehouse/proto/declaring/resource.ts'
import { reusedKey } from '@gatehouse/proto/serving/idempotency.ts'
import { refuseOtherPoints } from '../accesspoints/device-points.ts'
import { NO_POINT } from '../accesspoints/store.ts'
import type { Dependencies } from '../dependencies.ts'
import type { Scan } from '../door/decision.ts'
import { makerOf } from './ownership.ts'
import { type ShownCheckIn, shown } from './presenting.ts'
import type { checkIns } from './resource.ts'
import { naturalId, repeatedCheckIn } from './scan-identity.ts'

/** How many chunks of all long batches are at the door at once: one is stored while the next is prepared. Accounts take turns. */
export const CHUNKS_AT_THE_DOOR = 2
/** A chunk that waits longer would miss the deadline of its request. */
const MAX_WAIT_MS = 10_000

type Batch = Call<(typeof checkIns)['actions']['batch_create']>

/** Decides scans and stores them as check-ins, also those that are refused. */
export async function batch_create(dependencies: Dependencies, call: Batch): Promise<(ShownCheckIn | Rejected)[]> {
  const { caller } = call
  const body = refuseOtherPoints(caller, call.body)
  if (body.length <= GIVING_WAY.size()) return enterAll(dependencies, call, body)
  const enterChunk = async (items: Batch['body']) => {
    const start = performance.now()
    const entered = await enterAll(dependencies, call, items)
    await timeSlicer.rest(performance.now() - start)
    return entered
  }
  return inChunks(
    body,
    (items) => dependencies.chunkSlots.run(required(caller).account_id, 1, MAX_WAIT_MS, () => enterChunk(items)),
    GIVING_WAY,
  )
}

/** Decides items of a batch. Returns the check-in or the errors of each. */
async function enterAll(
  { accesspoints, accessCache, door, checkIns }: Dependencies,
  call: Batch,
  items: Batch['body'],
): Promise<(ShownCheckIn | Rejected)[]> {
  const { event_id } = call.params
  const scans = await scansOf(accessCache, call, items)
  const pointsOfRefused = items.flatMap((item) => (isRejected(item) ? (item.given?.accesspoint_id ?? []) : []))
  const [outcomes, found] = await Promise.all([
    door.enter(event_id, scans, true),
    pointsOfRefused.length === 0 ? [] : accesspoints.known(event_id, pointsOfRefused),
  ])
  const unknown = new Set(pointsOfRefused).difference(new Set(found))
  // The id may stand for another scan: a single check-in had the same Idempotency-Key.
  const entered = await Promise.all(
    outcomes.map(async (outcome, index) => {
      if ('errors' in outcome || !outcome.repeated) return outcome
      const checkIn = await repeatedCheckIn(checkIns, outcome.checkIn, scans[index] as Scan)
      return checkIn ? { checkIn } : { errors: reusedKey().errors ?? {} }
    }),
  )
  let next = 0
  return items.map((item) => {
    if (isRejected(item)) return alsoWrong(item, unknown.has(item.given?.accesspoint_id ?? '') ? NO_POINT : {})
    const outcome = entered[next++] as (typeof entered)[number]
    return 'errors' in outcome ? outcome : shown(outcome.checkIn)
  })
}

/** The scans of the items that are not refused. */
async function scansOf(
  accessCache: Dependencies['accessCache'],
  { params, caller, newId, request_id }: Batch,
  items: Batch['body'],
): Promise<Scan[]> {
  const { event_id } = params
  const given = items.flatMap((item) => (isRejected(item) ? [] : [item]))
  const uids = await accessCache.uidsOf(
    event_id,
    given.map(({ guest_uid }) => guest_uid),
  )
  const asked_at = request_id ? timeOfRequest(request_id) : undefined
  return given.map((item, index) => {
    const { accesspoint_id, persons } = item
    const guest_uid = uids[index] as string
    const access_stamp = item.access_stamp ?? undefined
    const decided_offline = item.decided_offline ?? undefined
    const token_id = makerOf(caller)
    const _id = access_stamp ? naturalId(caller, event_id, access_stamp, { accesspoint_id, guest_uid }) : newId()
    return { _id, event_id, accesspoint_id, guest_uid, access_stamp, persons, decided_offline, token_id, asked_at }
  })
}
