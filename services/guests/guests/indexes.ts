import type { IndexDescription } from 'mongodb'
import { promoUseIndex } from './promo-uses.ts'

/** The names that indexes of the guests collection get from their keys. */
export const BY_UID = 'event_id_1_uid_1'
export const BY_CREATION = 'event_id_1_created_at_-1__id_-1'
export const BY_CATEGORY = 'event_id_1_guest_category_id_1_created_at_-1__id_-1'
export const BY_UPDATE = 'event_id_1_updated_at_-1_created_at_-1__id_-1'
export const BY_WORD = 'event_id_1_search_words_1_created_at_-1__id_-1'
export const BY_NAME = 'event_id_1_sort_name_1__id_1'
export const BY_LONG_NAME = 'event_id_1_long_name_-1__id_1'
export const BY_ENTRY = 'event_id_1_checked_in_at_-1__id_-1'
export const UNREAD = 'entry_unread_1'
export const BY_REGISTRATION = 'event_id_1_registered_at_-1__id_-1'

/** The indexes of the guests collection, besides that of badge orders. */
export const guestIndexes: IndexDescription[] = [
  { key: { event_id: 1, uid: 1 }, unique: true },
  { key: { event_id: 1, created_at: -1, _id: -1 } },
  { key: { event_id: 1, guest_category_id: 1, created_at: -1, _id: -1 } },
  { key: { event_id: 1, updated_at: -1, created_at: -1, _id: -1 } },
  { key: { event_id: 1, search_words: 1, created_at: -1, _id: -1 } },
  { key: { event_id: 1, sort_name: 1, _id: 1 } },
  { key: { event_id: 1, registered_at: -1, _id: -1 } },
  { key: { event_id: 1, checked_in_at: -1, _id: -1 } },
  { key: { event_id: 1, long_name: -1, _id: 1 }, partialFilterExpression: { long_name: { $gt: 0 } } },
  promoUseIndex,
  { key: { event_id: 1, moving_to: 1 }, partialFilterExpression: { moving_to: { $exists: true } } },
  { key: { entry_unread: 1 }, partialFilterExpression: { entry_unread: true } },
]
