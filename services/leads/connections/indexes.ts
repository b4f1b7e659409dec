import type { IndexDescription } from 'mongodb'

/** The index of an exhibitor's leads. */
export const BY_EXHIBITOR = 'event_id_1_exhibitor_id_1_created_at_-1__id_-1'
/** The index of an event's leads. */
export const BY_CREATION = 'event_id_1_created_at_-1__id_-1'
/** The index of an event's leads that have a rating. */
export const BY_RATING = 'event_id_1_rating_1_created_at_-1__id_-1'

/** The indexes of the collection of leads. Each gives the order of a list. */
export const leadIndexes: IndexDescription[] = [
  { key: { event_id: 1, exhibitor_id: 1, created_at: -1, _id: -1 } },
  { key: { event_id: 1, created_at: -1, _id: -1 } },
  {
    key: { event_id: 1, rating: 1, created_at: -1, _id: -1 },
    partialFilterExpression: { rating: { $gt: 0 } },
  },
]
