import { chunked } from '@gatehouse/proto/chunks.ts'
import { type FieldErrors, invalid } from '@gatehouse/proto/faults.ts'
import { type Call, type Handlers, isRejected, type Rejected } from '@gatehouse/proto/resource.ts'
import { naturalId } from '../check-ins/handlers.ts'
import type { Directory } from '../door/directory.ts'
import type { signatures } from './resource.ts'
import type { Signature, SignatureStore } from './store.ts'

/** Signatures of a batch that are stored at once: a drawing can be large, and the driver encodes what it sends in one go. */
const STORED_AT_ONCE = { size: 20, concurrency: 1 }

type Batch = Call<(typeof signatures)['actions']['batch_create']>
type Given = Pick<Signature, 'accesspoint_id' | 'guest_uid' | 'points'> & { access_stamp?: Date | null }

/** What signatures do and refuse. */
export function signatureHandlers(store: SignatureStore, directory: Directory): Handlers<typeof signatures> {
  /** The errors of each signature: its check-in point and its guest must be of the event. */
  const check = async (eventId: string, given: Given[]): Promise<(Rejected | undefined)[]> => {
    const rights = await directory.rightsOf(eventId)
    const guests = await directory.guestsOf(
      eventId,
      given.map(({ guest_uid }) => guest_uid),
    )
    return given.map(({ accesspoint_id }, index) => {
      const errors: FieldErrors = {}
      if (!rights.accesspoints.has(accesspoint_id)) errors.accesspoint_id = ['is not a check-in point of the event']
      if (!guests[index]) errors.guest_uid = ['is not a guest of the event']
      return Object.keys(errors).length > 0 ? { errors } : undefined
    })
  }

  /** Stores items of a batch; gives each signature, or why there is none. */
  async function storeAll({ params, caller, newId }: Batch, items: Batch['body']): Promise<(Signature | Rejected)[]> {
    const { event_id } = params
    const readable = items.filter((item): item is Given => !isRejected(item))
    const rejections = new Map((await check(event_id, readable)).map((rejected, index) => [readable[index], rejected]))
    const results = items.map((item) => {
      if (isRejected(item)) return item
      const rejected = rejections.get(item as Given)
      if (rejected) return rejected
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
    async list({ params, query }) {
      return store.list(params.event_id, query)
    },

    async create({ params, body, newId }) {
      const { event_id } = params
      const [rejected] = await check(event_id, [body])
      if (rejected) throw invalid(rejected.errors)
      const [signature] = await store.insert([signatureOf(newId(), event_id, body)])
      return signature as Signature
    },

    async batch_create(call) {
      return chunked(call.body, (items) => storeAll(call, items), STORED_AT_ONCE)
    },
  }
}

function signatureOf(_id: string, event_id: string, { access_stamp, ...given }: Given): Signature {
  const now = new Date()
  return { _id, event_id, ...given, access_stamp: access_stamp ?? now, created_at: now, updated_at: now }
}
