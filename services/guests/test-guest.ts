import { newTimes } from '@gatehouse/proto/storage/documents.ts'
import { guestDefaults } from './guests/resource.ts'
import type { NewGuest } from './guests/stored-guest.ts'

/** A guest for tests of stores: with these fields, and the defaults of all others. */
export function testGuest(fields: Pick<NewGuest, '_id'> & Partial<NewGuest>): NewGuest {
  const { access_privileges_attributes: access_privileges, ...defaults } = guestDefaults
  return {
    event_id: 'event',
    guest_category_id: 'category',
    ...defaults,
    access_privileges,
    uid: fields._id,
    badge_completed: false,
    ...newTimes(),
    ...fields,
  }
}
