import { isDeepStrictEqual } from 'node:util'
import type { Migration } from '@gatehouse/proto/storage/migrations/migration.ts'
import { searchedFields } from './resource.ts'
import { SEARCH_RULE } from './search.ts'
import { derived, type StoredGuest } from './stored-guest.ts'

/**
 * Renews the search words of stored guests when the searched fields or the folding of words have changed. A guest who has changed since it was
 * read gets them by that change. `updated_at` stays.
 */
export const searchMigration: Migration<StoredGuest> = {
  name: 'guests.search_words',
  collection: 'guests',
  rule: SEARCH_RULE,
  fields: [...searchedFields, 'event_id', 'revision', 'search_words', 'sort_name'],
  change: (guest) => {
    const { _id, event_id, revision, search_words, sort_name } = guest
    const fields = derived(guest)
    if (isDeepStrictEqual(fields, { search_words, sort_name })) return undefined
    return { filter: { _id, event_id, revision }, update: { $set: fields } }
  },
}
