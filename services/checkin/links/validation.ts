import { type FieldErrors, invalid } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import { isDuplicate } from '@gatehouse/proto/storage/mongo.ts'
import { NO_POINT } from '../accesspoints/store.ts'
import type { Dependencies } from '../dependencies.ts'
import type { Link, LinkStore } from './store.ts'

const ALREADY_LINKED = { accesspoint_id: [messageOf('already_linked')] }

type Ends = Partial<Pick<Link, 'accesspoint_id' | 'guest_category_id'>>

/** Returns the errors of a link whose ends are not both of its event. */
export async function errorsOf(
  { accesspoints, guestCategoryClient }: Dependencies,
  event_id: string,
  { accesspoint_id, guest_category_id }: Ends,
): Promise<FieldErrors> {
  const [point, category] = await Promise.all([
    accesspoint_id === undefined || accesspoints.get(event_id, accesspoint_id),
    guest_category_id === undefined || guestCategoryClient.known({ body: { event_id, ids: [guest_category_id] } }),
  ])
  const errors: FieldErrors = {}
  if (!point) Object.assign(errors, NO_POINT)
  if (category !== true && category.ids.length === 0)
    errors.guest_category_id = [messageOf('unknown_reference', { thing: 'a guest category', owner: 'event' })]
  return errors
}

/** Returns the error if a link other than `_id` already has both ends. */
export async function duplicateErrors(
  links: LinkStore,
  event_id: string,
  { accesspoint_id, guest_category_id }: Ends,
  _id: string,
): Promise<FieldErrors> {
  if (accesspoint_id === undefined || guest_category_id === undefined) return {}
  const linked = await links.find(event_id, { accesspoint_id, guest_category_id })
  return linked.some((link) => link._id !== _id) ? ALREADY_LINKED : {}
}

/** Throws the error of a link whose ends are linked already in place of the store's. */
export function refuseDuplicate(error: unknown): never {
  if (isDuplicate(error)) throw invalid(ALREADY_LINKED)
  throw error
}

/** A link as clients see it. */
export function withId(link: Link): Link & { id: string } {
  return { ...link, id: link._id }
}
