import { emailErrors } from '@gatehouse/proto/declaring/email.ts'
import { type FieldErrors, oneNeeded } from '@gatehouse/proto/declaring/faults.ts'
import { isBlank } from '@gatehouse/proto/declaring/fields.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import type { Body } from '@gatehouse/proto/declaring/resource.ts'
import type { Dependencies } from '../dependencies.ts'
import type { guests } from './resource.ts'
import type { StoredGuest } from './stored-guest.ts'

export const ID_TAKEN = { _id: [messageOf('taken')] }
export const UID_TAKEN = { uid: [messageOf('taken')] }
export const CODE_USED_UP = { promo_code: [messageOf('used_up')] }
export const NO_CATEGORY = {
  guest_category_id: [messageOf('unknown_reference', { thing: 'a guest category', owner: 'event' })],
}

export const NO_GUEST = { _id: [messageOf('unknown_reference', { thing: 'a guest', owner: 'event' })] }

/** The fields of which a guest needs one, to be identified. */
const IDENTITY = ['last_name', 'email', 'company_name', 'uid'] as const

type SubmittedFields = Partial<Body<(typeof guests)['actions']['update']>>

/** The errors of each of some new guests. */
export async function errorsOfNew(
  dependencies: Dependencies,
  event_id: string,
  given: SubmittedFields[],
): Promise<FieldErrors[]> {
  const errors = await referenceErrors(dependencies, event_id, given)
  return given.map((each, index) => ({
    ...errors[index],
    ...(!isIdentified(each) && { last_name: [oneNeeded(IDENTITY)] }),
  }))
}

/** The errors of each of some changes, as far as they are known before they are stored. Those of no guest are `stored` as undefined. */
export async function errorsOfChanges(
  dependencies: Dependencies,
  event_id: string,
  given: SubmittedFields[],
  stored: (StoredGuest | undefined)[],
): Promise<FieldErrors[]> {
  const errors = await referenceErrors(dependencies, event_id, given)
  return given.map(({ email, uid }, index) => ({
    ...errors[index],
    ...emailErrors(email, stored[index]?.email ?? null),
    ...(uid !== undefined && isBlank(uid) && { uid: [messageOf('blank')] }),
  }))
}

/** The errors of each of some guests: category and check-in points must be of the event. */
export async function referenceErrors(
  { categories, accesspointClient }: Dependencies,
  event_id: string,
  given: SubmittedFields[],
): Promise<FieldErrors[]> {
  const privilegesOf = ({ access_privileges_attributes = [] }: SubmittedFields) => access_privileges_attributes
  const wanted = new Set(given.flatMap(({ guest_category_id }) => guest_category_id ?? []))
  const ids = [...new Set(given.flatMap(privilegesOf).map(({ accesspoint_id }) => accesspoint_id))]
  const [found, points] = await Promise.all([
    Promise.all([...wanted].map(async (id) => ((await categories.has(event_id, id)) ? id : undefined))),
    ids.length === 0 ? { ids } : accesspointClient.known({ body: { event_id, ids } }),
  ])
  const [existingCategories, existingPoints] = [new Set(found), new Set(points.ids)]
  return given.map((each) => {
    const { guest_category_id: category } = each
    const errors: FieldErrors = category !== undefined && !existingCategories.has(category) ? { ...NO_CATEGORY } : {}
    for (const [index, { accesspoint_id }] of privilegesOf(each).entries()) {
      if (existingPoints.has(accesspoint_id)) continue
      errors[`access_privileges_attributes.${index}.accesspoint_id`] = [
        messageOf('unknown_reference', { thing: 'a check-in point', owner: 'event' }),
      ]
    }
    return errors
  })
}

/** The error for a uid that a guest other than `_id` has. */
export async function uidErrors(
  { lookups }: Dependencies,
  event_id: string,
  uid: string | null | undefined,
  _id: string,
): Promise<FieldErrors> {
  const holders = uid ? await lookups.doorGuests(event_id, [uid]) : []
  return holders.some((holder) => holder._id !== _id) ? UID_TAKEN : {}
}

/** Whether a guest can be identified; a field that the schema refused counts as given. */
function isIdentified(given: SubmittedFields): boolean {
  return IDENTITY.some((field) => given[field] === undefined || !isBlank(given[field]))
}
