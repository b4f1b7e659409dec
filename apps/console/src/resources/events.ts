import { resource } from './resource.ts'

/** The events of the account. */
export const events = resource('/api/v1/events.json', {
  columns: ['title', 'start_date', 'location', 'guest_count', 'check_in_count'],
  fields: [
    'title',
    'start_date',
    'end_date',
    'timezone',
    'location',
    'organizer',
    'description',
    'locale',
    'reply_to_email',
    'lead_guest_fields',
    'qr_code_ciphering_enabled',
    'personal_data_days',
  ],
  facts: ['guest_count', 'check_in_count', 'signature_count'],
  always: ({ account_id }) => ({ account_id }),
})
