import { type FieldErrors, invalid } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import { isDuplicate } from '@gatehouse/proto/storage/mongo.ts'
import { ADDRESSES, NAMES, type PartnerFields, type PartnerStore, type StoredPartner } from './store.ts'

const NAME_TAKEN = { name: [messageOf('taken')] }
const UID_TAKEN = { uid: [messageOf('taken')] }

/** Given fields, with a name without blanks around it; a blank uid, address or language is none. */
export function cleaned<T extends Partial<PartnerFields>>(given: T): T {
  return {
    ...given,
    ...(given.name !== undefined && { name: given.name.trim() }),
    ...(given.uid !== undefined && { uid: given.uid?.trim() ? given.uid : null }),
    ...(given.email !== undefined && { email: given.email || null }),
    ...(given.locale !== undefined && { locale: given.locale?.trim() || null }),
  }
}

/** The errors for a name and a uid that partners other than `_id` have. */
export async function takenErrors(
  partners: PartnerStore,
  event_id: string,
  given: Partial<PartnerFields>,
  _id: string,
): Promise<FieldErrors> {
  const { name, uid } = cleaned(given)
  const [named, addressed] = await Promise.all([
    name === undefined ? null : partners.named(event_id, name),
    uid ? partners.get(event_id, uid) : null,
  ])
  const isOther = (partner: StoredPartner | null) => partner !== null && partner._id !== _id
  return { ...(isOther(named) && NAME_TAKEN), ...(isOther(addressed) && UID_TAKEN) }
}

/** Waits for a write. If a unique index refuses it, throws `invalid` for the name, the uid or both. */
export function unlessTaken<T>(write: Promise<T>, ...partner: Parameters<typeof takenErrors>): Promise<T> {
  return write.catch(async (error) => {
    if (isDuplicate(error, NAMES)) throw invalid({ ...(await takenErrors(...partner)), ...NAME_TAKEN })
    if (isDuplicate(error, ADDRESSES)) throw invalid({ ...(await takenErrors(...partner)), ...UID_TAKEN })
    throw error
  })
}
