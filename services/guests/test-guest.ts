import type { NewGuest } from './guests/store.ts'

/** A guest as tests of stores put it in: with these fields, and nothing else that it need not have. */
export function testGuest(fields: Pick<NewGuest, '_id'> & Partial<NewGuest>): NewGuest {
  const now = new Date()
  return {
    event_id: 'event',
    guest_category_id: 'category',
    email: null,
    first_name: null,
    last_name: null,
    company_name: null,
    position: null,
    phone_number: null,
    uid: fields._id,
    message: null,
    rsvp_status: 'not_replied',
    guest_metadata: [],
    access_privileges: [],
    badge_completed: false,
    created_at: now,
    updated_at: now,
    ...fields,
  }
}
