import { isDeepStrictEqual } from 'node:util'
import type { Migration } from '@gatehouse/proto/storage/migrations/migration.ts'
import { searchedFields } from './resource.ts'
import { SEARCH_RULE } from './search.ts'
import { derived, type StoredGuest } from './stored-guest.ts'

const READ = [
  ...['event_id', 'revision', 'created_at', 'guest_metadata', 'rsvp_status'],
  ...['search_words', 'sort_name', 'long_name', 'status', 'own_status', 'registered_at'],
]

/**
 * Renews what is derived of stored guests when the searched fields or the folding of words have changed, or another field is derived. A guest
 * who has changed since it was read gets it by that change. `updated_at` stays.
 */
export const searchMigration: Migration<StoredGuest> = {
  name: 'guests.search_words',
  collection: 'guests',
  rule: SEARCH_RULE,
  fields: [...searchedFields, ...READ],
  change: (guest) => {
    const { _id, event_id, revision } = guest
    const fields = Object.entries(derived(guest)).filter(
      ([name, value]) => !isDeepStrictEqual(value, guest[name as keyof StoredGuest] ?? null),
    )
    if (fields.length === 0) return undefined
    return { filter: { _id, event_id, revision }, update: { $set: Object.fromEntries(fields) } }
  },
}
