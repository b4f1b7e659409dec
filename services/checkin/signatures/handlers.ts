import { inChunks } from '@gatehouse/proto/concurrency/chunks.ts'
import type { FieldErrors } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import { alsoWrong, type Call, type Handlers, isRejected, type Rejected } from '@gatehouse/proto/declaring/resource.ts'
import { checkPoint, pointsOf, withinReach } from '../accesspoints/reach.ts'
import { NO_POINT } from '../accesspoints/store.ts'
import { naturalId } from '../check-ins/scan-identity.ts'
import type { AccessCache } from '../door/access-cache.ts'
import type { signatures } from './resource.ts'
import type { GuestSignature, SignatureStore } from './store.ts'

const NO_GUEST = { guest_uid: [messageOf('unknown_reference', { thing: 'a guest', owner: 'event' })] }
/** How many signatures of a batch are stored at once: drawings can be large, and the driver encodes them without a pause. */
const STORED_AT_ONCE = { size: () => 20, concurrency: 1 }

type SignatureBatch = Call<(typeof signatures)['actions']['batch_create']>
type SubmittedSignature = Pick<GuestSignature, 'accesspoint_id' | 'guest_uid' | 'points'> & {
  access_stamp?: Date | null
}

/** The actions of signatures. */
export function signatureHandlers(store: SignatureStore, cache: AccessCache): Handlers<typeof signatures> {
  /** Signatures, each under the uid of the guest for whom its `guest_uid` stands. */
  async function identified<S extends Partial<SubmittedSignature>>(eventId: string, given: S[]): Promise<S[]> {
    const uids = await cache.uidsOf(
      eventId,
      given.map(({ guest_uid = '' }) => guest_uid),
    )
    return given.map((each, index) => (each.guest_uid === undefined ? each : { ...each, guest_uid: uids[index] }))
  }

  /** The errors of each signature: its check-in point and its guest must be of the event. */
  const errorsOf = async (eventId: string, given: Partial<SubmittedSignature>[]): Promise<FieldErrors[]> => {
    await cache.catchUp(eventId)
    const rights = await cache.rightsOf(eventId)
    const uids = given.map(({ guest_uid }) => guest_uid)
    const asked = [...new Set(uids.filter((uid) => uid !== undefined))]
    const guests = await cache.guestsOf(eventId, asked)
    const unknown = new Set(asked.filter((_, index) => !guests[index]))
    return given.map(({ accesspoint_id, guest_uid }) => ({
      ...(accesspoint_id !== undefined && !rights.accesspoints.has(accesspoint_id) && NO_POINT),
      ...(guest_uid !== undefined && unknown.has(guest_uid) && NO_GUEST),
    }))
  }

  /** Stores items of a batch. Returns the signature or the errors of each. */
  async function storeAll(
    { params, caller, newId }: SignatureBatch,
    items: SignatureBatch['body'],
  ): Promise<(GuestSignature | Rejected)[]> {
    const { event_id } = params
    const given = await identified(
      event_id,
      items.map((item) => (isRejected(item) ? (item.given ?? {}) : item)),
    )
    const found = await errorsOf(event_id, given)
    const results = items.map((refused, index) => {
      const errors = found[index] as FieldErrors
      if (isRejected(refused)) return alsoWrong(refused, errors)
      const item = given[index] as SubmittedSignature
      if (Object.keys(errors).length > 0) return { errors }
      return signatureOf(
        item.access_stamp ? naturalId(caller, event_id, item.access_stamp, item) : newId(),
        event_id,
        item,
      )
    })
    // The same signature twice in a batch is stored once.
    const fresh = new Map(results.flatMap((item) => (isRejected(item) ? [] : [[item._id, item]])))
    const stored = new Map((await store.insert([...fresh.values()])).map((signature) => [signature._id, signature]))
    return results.map((item) => (isRejected(item) ? item : (stored.get(item._id) ?? item)))
  }

  return {
    async list({ params, query, caller }) {
      return store.list(params.event_id, query, pointsOf(caller))
    },

    async create({ params, body, accept, caller, newId }) {
      const { event_id } = params
      checkPoint(caller, body)
      const [given = body] = await identified(event_id, [body])
      const [errors] = await errorsOf(event_id, [given])
      const accepted: SubmittedSignature = {
        ...(await accept(errors)),
        ...(given.guest_uid !== undefined && { guest_uid: given.guest_uid }),
      }
      const [signature] = await store.insert([signatureOf(newId(), event_id, accepted)])
      return signature as GuestSignature
    },

    async batch_create(call) {
      return inChunks(withinReach(call.caller, call.body), (items) => storeAll(call, items), STORED_AT_ONCE)
    },
  }
}

function signatureOf(_id: string, event_id: string, { access_stamp, ...given }: SubmittedSignature): GuestSignature {
  const now = new Date()
  return { _id, event_id, ...given, access_stamp: access_stamp ?? now, created_at: now, updated_at: now }
}
