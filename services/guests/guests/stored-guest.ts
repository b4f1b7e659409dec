import type { GuestFields } from './resource.ts'
import { searchWords, sortName } from './search.ts'

/** What a guest holds of a discount code. A guest without one has none of these fields. */
export interface PromoUse {
  /** The code's text when it was used. */
  promo_code: string
  promo_code_id: string
  /** Which of the code's uses this is, from 1; beyond every limit if the code had none. No two guests have the same one. */
  promo_use: number
}

/** A guest as stored. */
export interface StoredGuest extends GuestFields, Partial<PromoUse> {
  _id: string
  event_id: string
  badge_completed: boolean
  /** Since when the guest waits for a badge; absent if it does not (badge-orders). */
  badge_due?: Date
  /** Counts the orders of badges; absent before the first. */
  badge_order?: number
  created_at: Date
  updated_at: Date
  /** Counts changes, so that a change applies only to the guest as it was read. */
  revision: number
  /** The category which a change in progress is about to put the guest in. */
  moving_to?: string
  /** What `search` looks at (search.ts). */
  search_words: string[]
  sort_name: string
}

/** The badge's state in a guest. */
export type BadgeState = Partial<Pick<StoredGuest, 'badge_completed' | 'badge_due' | 'badge_order'>>

/** A guest without the fields which are derived from the others. */
export type NewGuest = Omit<StoredGuest, 'revision' | 'search_words' | 'sort_name'>

/** A new guest with its derived fields. */
export function complete(guest: NewGuest): StoredGuest {
  return { ...guest, revision: 0, ...derived(guest) }
}

/** The fields which are derived from the others. */
export function derived(guest: GuestFields): Pick<StoredGuest, 'search_words' | 'sort_name'> {
  return { search_words: searchWords(guest), sort_name: sortName(guest) }
}
