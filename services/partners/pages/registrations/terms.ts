import type { GuestField, RegistrationSettings } from '@gatehouse/guests/resources'
import { unlessRefused } from '@gatehouse/proto/declaring/faults.ts'
import type { Dependencies } from '../../dependencies.ts'
import { OWN_METADATA } from './registration.ts'

/** Fields that a registration asks for: those that were made first. */
const MAX_FIELDS = 100

/** The settings of the category that guests of an invitation type get; null if there is none. */
export async function categoryOf(
  { guestCategoryClient }: Dependencies,
  event_id: string,
  id: string | null | undefined,
): Promise<RegistrationSettings | null> {
  return id ? unlessRefused(guestCategoryClient.registration({ body: { event_id, id } }), 'not_found') : null
}

/** The fields of an event that are asked for. One whose value nobody could choose is left out, and so is one that the guest gets anyway. */
export async function askedFields({ guestFieldClient }: Dependencies, event_id: string): Promise<GuestField[]> {
  const fields = await guestFieldClient.list({ params: { event_id } })
  return fields
    .filter(
      ({ use_in_registration, type, available_values, key }) =>
        use_in_registration &&
        (type === 'text' || (type === 'value_list' && available_values.length > 0)) &&
        !OWN_METADATA.includes(key),
    )
    .slice(0, MAX_FIELDS)
}
