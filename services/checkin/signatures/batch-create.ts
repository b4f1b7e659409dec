import { inChunks } from '@gatehouse/proto/concurrency/chunks.ts'
import type { FieldErrors } from '@gatehouse/proto/declaring/faults.ts'
import { alsoWrong, type Call, isRejected, type Rejected } from '@gatehouse/proto/declaring/resource.ts'
import { refuseOtherPoints } from '../accesspoints/device-points.ts'
import { naturalId } from '../check-ins/scan-identity.ts'
import type { Dependencies } from '../dependencies.ts'
import { errorsOf, type SubmittedSignature, signatureOf, withUids } from './preparing.ts'
import type { signatures } from './resource.ts'
import type { GuestSignature } from './store.ts'

/** How many signatures of a batch are stored at once: drawings can be large, and the driver encodes them without a pause. */
const STORED_AT_ONCE = { size: () => 20, concurrency: 1 }

type Batch = Call<(typeof signatures)['actions']['batch_create']>

/** Stores signatures. */
export function batch_create(dependencies: Dependencies, call: Batch): Promise<(GuestSignature | Rejected)[]> {
  return inChunks(
    refuseOtherPoints(call.caller, call.body),
    (items) => storeAll(dependencies, call, items),
    STORED_AT_ONCE,
  )
}

/** Stores items of a batch. Returns the signature or the errors of each. */
async function storeAll(
  { signatures, accessCache }: Dependencies,
  { params: { event_id }, caller, newId }: Batch,
  items: Batch['body'],
): Promise<(GuestSignature | Rejected)[]> {
  const given = await withUids(
    accessCache,
    event_id,
    items.map((item) => (isRejected(item) ? (item.given ?? {}) : item)),
  )
  const errorsOfAll = await errorsOf(accessCache, event_id, given)
  const results = items.map((refused, index) => {
    const errors = errorsOfAll[index] as FieldErrors
    if (isRejected(refused)) return alsoWrong(refused, errors)
    if (Object.keys(errors).length > 0) return { errors }
    const item = given[index] as SubmittedSignature
    const _id = item.access_stamp ? naturalId(caller, event_id, item.access_stamp, item) : newId()
    return signatureOf(_id, event_id, item)
  })
  // The same signature twice in a batch is stored once.
  const fresh = new Map(results.flatMap((item) => (isRejected(item) ? [] : [[item._id, item]])))
  const stored = new Map((await signatures.insert([...fresh.values()])).map((signature) => [signature._id, signature]))
  return results.map((item) => (isRejected(item) ? item : (stored.get(item._id) ?? item)))
}
