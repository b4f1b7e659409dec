import { normalized, normalizedDomain } from '@gatehouse/proto/declaring/addresses.ts'
import { type FieldErrors, invalid } from '@gatehouse/proto/declaring/faults.ts'
import { emailErrors } from '@gatehouse/proto/declaring/fields.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import type { Handlers } from '@gatehouse/proto/declaring/resource.ts'
import { found, newTimes } from '@gatehouse/proto/storage/documents.ts'
import { isDuplicate } from '@gatehouse/proto/storage/mongo.ts'
import type { blockedRecipients } from './resource.ts'
import { type BlockedRecipientStore, KEYS } from './store.ts'

const INVALID = { address: [messageOf('invalid_recipient')] }
const TAKEN = { address: [messageOf('taken')] }

/** Handlers of blocked recipients. */
export function blockedRecipientHandlers(store: BlockedRecipientStore): Handlers<typeof blockedRecipients> {
  /** The errors of an address, which a recipient other than `_id` may have. */
  async function taken(event_id: string, address: string | undefined, _id: string): Promise<FieldErrors> {
    const key = address === undefined ? undefined : keyOf(address)
    const holder = key === undefined ? null : await store.keyed(event_id, key)
    return holder && holder._id !== _id ? TAKEN : {}
  }

  const unlessTaken = <T>(write: Promise<T>): Promise<T> =>
    write.catch((error) => {
      throw isDuplicate(error, KEYS) ? invalid(TAKEN) : error
    })

  return {
    list: async ({ params }) => store.ofEvent(params.event_id),
    read: async ({ params }) => found(await store.get(params.event_id, params.id)),

    async create({ params: { event_id }, body: given, accept, newId }) {
      const _id = newId()
      const body = await accept(errorsOf(given), () => taken(event_id, given.address, _id))
      const key = keyOf(body.address) as string
      return unlessTaken(store.insert({ _id, ...body, key, event_id, ...newTimes() }))
    },

    async update({ params: { event_id, id }, body: given, accept }) {
      found(await store.get(event_id, id))
      const body = await accept(errorsOf(given), () => taken(event_id, given.address, id))
      const key = body.address === undefined ? undefined : keyOf(body.address)
      return found(await unlessTaken(store.update(event_id, id, { ...body, ...(key !== undefined && { key }) })))
    },

    delete: async ({ params }) => found(await store.delete(params.event_id, params.id)),
  }
}

function errorsOf({ address }: { address?: string }): FieldErrors {
  return address !== undefined && keyOf(address) === undefined ? INVALID : {}
}

/** What an address or domain is compared by; undefined if it is neither. */
function keyOf(address: string): string | undefined {
  const isAddress = address.includes('@')
  const asAddress = isAddress ? address : `postmaster@${address}`
  if (Object.keys(emailErrors(asAddress, null)).length > 0) return undefined
  return isAddress ? normalized(address) : normalizedDomain(address)
}
