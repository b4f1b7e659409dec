import { guestStatuses } from '@gatehouse/proto/formats/lists/guest-statuses.ts'
import type { Order } from '@gatehouse/proto/storage/paging.ts'
import { prefixFilter } from '@gatehouse/proto/storage/search-words.ts'
import type { Filter } from 'mongodb'
import { BY_CATEGORY, BY_CREATION, BY_ENTRY, BY_NAME, BY_REGISTRATION, BY_UID, BY_UPDATE, BY_WORD } from './indexes.ts'
import { type GuestSort, rsvpStatuses } from './resource.ts'
import type { Search } from './search.ts'
import { NOT_ENTERED, type StoredGuest } from './stored-guest.ts'

/** Which guests of an event are listed. */
export interface GuestFilter {
  uid?: string | undefined
  categories?: string[] | undefined
  since?: Date | undefined
  before?: Date | undefined
  updated_since?: Date | undefined
  updated_before?: Date | undefined
  search?: Search | undefined
  /** Only those who have come in, or only those who have not. */
  checked_in?: boolean | undefined
  /** Only those to whom an e-mail was sent, or only the others. */
  mailed?: boolean | undefined
  /** Only those with an e-mail address, or only those without. */
  has_email?: boolean | undefined
  rsvp_status?: StoredGuest['rsvp_status'] | undefined
  source?: StoredGuest['source'] | undefined
  sort?: GuestSort | undefined
}

/** How a list of guests is queried. */
export interface ListPlan {
  query: Filter<StoredGuest>
  order: Order
  /** The index that finds the guests. */
  index: string
  /** The index that has the order, if `index` does not. */
  orderIndex: string | undefined
  /** Whether the list depends on what other services have done: on when guests came in, or were written to. */
  isByOthers: boolean
  /** Whether the list is all guests of the event. */
  isAll: boolean
}

/** How the guests that a filter lets through are queried: newest creation first unless the search says otherwise. */
export function planOf(event_id: string, filter: GuestFilter): ListPlan {
  const query = queryOf(event_id, filter)
  const { order, index: inOrder } = filter.sort ? sortedBy(filter.sort) : orderOf(filter.search?.sort)
  const index = indexFor(filter) ?? inOrder
  const isOneCategory = index === BY_CATEGORY && inOrder === BY_CREATION && filter.categories?.length === 1
  const isOrdered = index === inOrder || index === BY_UID || isOneCategory
  const isByOthers = filter.checked_in !== undefined || filter.mailed !== undefined || inOrder === BY_ENTRY
  return {
    query,
    order,
    index,
    orderIndex: isOrdered ? undefined : inOrder,
    isByOthers,
    isAll: Object.keys(query).length === 1,
  }
}

/** The order of a list, and the index that has it. */
function orderOf(sort: Search['sort']): { order: Order; index: string } {
  if (!sort) return { order: { created_at: -1, _id: -1 }, index: BY_CREATION }
  const way = sort.direction === 'asc' ? 1 : -1
  return sort.by === 'lastname'
    ? { order: { sort_name: way, _id: way }, index: BY_NAME }
    : { order: { registered_at: way, _id: way }, index: BY_REGISTRATION }
}

/** The order that a query names, and the index that has it. */
function sortedBy(sort: GuestSort): { order: Order; index: string } {
  const way = sort.startsWith('-') ? -1 : 1
  const [field, index] = SORTED[sort.replace('-', '') as keyof typeof SORTED]
  return { order: { [field]: way, _id: way }, index }
}

/** The guests with one of these words as their status or reply. */
function withStatus(words: string[]): Filter<StoredGuest> {
  const status = guestStatuses.filter((word) => words.includes(word))
  // Who has declined has that status too.
  const rsvp_status = rsvpStatuses.filter((word) => words.includes(word) && word !== 'declined')
  if (rsvp_status.length === 0) return { status: { $in: status } }
  if (status.length === 0) return { rsvp_status: { $in: rsvp_status } }
  return { $or: [{ status: { $in: status } }, { rsvp_status: { $in: rsvp_status } }] }
}

/** Fields and indexes of the orders by name. */
const SORTED = {
  last_name: ['sort_name', BY_NAME],
  created_at: ['created_at', BY_CREATION],
  checked_in_at: ['checked_in_at', BY_ENTRY],
} as const

function queryOf(event_id: string, filter: GuestFilter): Filter<StoredGuest> {
  const { uid, categories, since, before, updated_since, updated_before, search } = filter
  const { checked_in, mailed, has_email, rsvp_status, source } = filter
  const created = { ...(since && { $gte: since }), ...(before && { $lt: before }) }
  const updated = { ...(updated_since && { $gte: updated_since }), ...(updated_before && { $lt: updated_before }) }
  return {
    event_id,
    ...(uid !== undefined && { uid }),
    ...(categories && { guest_category_id: { $in: categories } }),
    ...((since || before) && { created_at: created }),
    ...((updated_since || updated_before) && { updated_at: updated }),
    ...(checked_in !== undefined && { checked_in_at: checked_in ? { $gt: NOT_ENTERED } : NOT_ENTERED }),
    ...(mailed !== undefined && { mailed_at: { $exists: mailed } }),
    ...(has_email !== undefined && { email: has_email ? { $gt: '' } : { $in: [null, ''] } }),
    ...(rsvp_status && { rsvp_status }),
    ...(source && { source }),
    ...(search?.statuses && withStatus(search.statuses)),
    ...prefixFilter('search_words', search?.prefixes ?? []),
  }
}

/**
 * The index for a filter, or undefined if the one that has the order will do. The planner is not left to choose: without fresh
 * statistics it reads a whole event to find one uid.
 */
function indexFor({
  uid,
  search,
  updated_since,
  updated_before,
  categories,
  checked_in,
}: GuestFilter): string | undefined {
  if (uid !== undefined) return BY_UID
  if (search && search.prefixes.length > 0) return BY_WORD
  if (updated_since || updated_before) return BY_UPDATE
  if (categories) return BY_CATEGORY
  return checked_in === undefined ? undefined : BY_ENTRY
}
