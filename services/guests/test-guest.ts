import { readerOf } from '@gatehouse/proto/formats/json-reader.ts'
import { newTimes } from '@gatehouse/proto/storage/documents.ts'
import type { Static } from 'typebox'
import { givenGuest } from './guests/resource.ts'
import type { NewGuest } from './guests/stored-guest.ts'

/** A guest for tests of stores: with these fields, and the defaults of all others. */
export function testGuest(fields: Pick<NewGuest, '_id'> & Partial<NewGuest>): NewGuest {
  const { value } = readerOf(givenGuest)({ guest_category_id: 'category' })
  const { access_privileges_attributes: access_privileges, ...defaults } = value as Static<typeof givenGuest>
  return {
    event_id: 'event',
    ...defaults,
    access_privileges,
    uid: fields._id,
    badge_completed: false,
    ...newTimes(),
    ...fields,
  }
}
