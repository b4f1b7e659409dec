import type { EventData } from '@gatehouse/proto/serving/event-data.ts'
import type { StoredErasure } from './erasures/store.ts'
import type { StoredCategory } from './guest-categories/store.ts'
import { BY_CREATION } from './guests/indexes.ts'
import { longName, searchWords, sortName } from './guests/search.ts'
import type { StoredGuest } from './guests/stored-guest.ts'

/** What the service holds of events, besides these themselves. */
export const guestsEventData: EventData = {
  collections: [
    {
      name: 'guests',
      archived: {
        holds: 'guests',
        order: { created_at: 1, _id: 1 },
        index: BY_CREATION,
        isUnfinished: ({ moving_to, entry_unread }: StoredGuest) => moving_to !== undefined || entry_unread === true,
        // Badges are made anew, and the e-mail to a host would be sent a second time.
        omits: [
          ...['badge_completed', 'badge_due', 'badge_order', 'quiet_badge_order', 'host_mail_due', 'host_mail_until'],
          ...['revision', 'search_words', 'sort_name', 'long_name'],
        ],
        completes: (guest: StoredGuest) => ({
          badge_completed: false,
          revision: 0,
          search_words: searchWords(guest),
          sort_name: sortName(guest),
          long_name: longName(guest),
        }),
      },
      stays: 'e-mails to hosts that were about to be sent',
    },
    {
      name: 'guest_categories',
      archived: {
        holds: 'guest categories',
        order: { created_at: 1, _id: 1 },
        isUnfinished: ({ deleted, links_due }: StoredCategory) => deleted || links_due !== undefined,
        omits: ['deletion_mark', 'badges_due'],
      },
    },
    { name: 'guest_fields', archived: { holds: 'guest fields', order: { created_at: 1, _id: 1 } } },
    {
      name: 'erasures',
      archived: {
        holds: 'when personal data was erased',
        order: { created_at: 1, _id: 1 },
        isUnfinished: ({ due }: StoredErasure) => due !== undefined,
      },
    },
  ],
}
