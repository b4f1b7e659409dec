import { alsoWrong, type Call, isRejected, type Output } from '@gatehouse/proto/declaring/resource.ts'
import type { Dependencies } from '../dependencies.ts'
import type { GuestField, guestFields } from './resource.ts'
import { fileErrors, KEY_TAKEN, newField } from './validation.ts'

type BatchCreate = typeof guestFields.actions.batch_create

/** Creates the guest fields of a batch; of several with one key the first. */
export async function batch_create(
  { guestFields }: Dependencies,
  { params: { event_id }, body, newId }: Call<BatchCreate>,
): Promise<Output<BatchCreate>> {
  // Refused items take an id too, so that each item has the same id in a retry.
  const items = body.map((item) => {
    const _id = newId()
    if (isRejected(item)) return item
    const errors = fileErrors(item)
    return Object.keys(errors).length > 0 ? { errors, given: item } : newField(_id, event_id, item)
  })
  const firsts = new Map<string, GuestField>()
  for (const item of items) {
    if (!isRejected(item) && !firsts.has(item.key)) firsts.set(item.key, item)
  }
  const stored = await guestFields.insertMany([...firsts.values()])
  const keys = items.some(isRejected)
    ? new Set<unknown>((await guestFields.ofEvent(event_id)).map(({ key }) => key))
    : new Set()
  return items.map((item) => {
    if (!isRejected(item)) return stored.get(item._id) ?? { errors: KEY_TAKEN }
    return keys.has(item.given?.key) ? alsoWrong(item, KEY_TAKEN) : item
  })
}
