import type { Adoption } from '@gatehouse/proto/storage/adopting.ts'
import type { GuestFields, GuestSource } from './resource.ts'
import { longName, searchWords, sortName } from './search.ts'

/** Stands for null where a guest has not come in. */
export const NOT_ENTERED = new Date(0)

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
  /** What `status` is again once `rsvp_status` is no longer `declined`; only then and before is it present. */
  own_status?: GuestFields['status'] | null
  registered_at: Date
  /** Absent if the guest is older than the field. */
  source?: GuestSource
  /** When the guest first came in, or {@link NOT_ENTERED}: a date in any case, by which lists are sorted. Checkin has the last word (entry-sync.ts). */
  checked_in_at: Date
  /** When the latest e-mail of a mailing, or with the QR code, was handed over; absent before. */
  mailed_at?: Date
  /** The guest has another uid since that was read. */
  entry_unread?: true
  /** When the e-mail to the host is to be sent; absent if none waits (host-mails). */
  host_mail_due?: Date
  /** After this time it is too late for that. */
  host_mail_until?: Date
  /** Under which claim it was begun: there will be no other. */
  host_mail?: string
  badge_completed: boolean
  /** Since when the guest waits for a badge; absent if it does not (badge-orders). */
  badge_due?: Date
  /** Counts the orders of badges; absent before the first. */
  badge_order?: number
  /** The order whose completion nobody is told of; absent if there was none. */
  quiet_badge_order?: number
  /** How another system gave the guest last; absent if it was made here. */
  adopted?: Adoption
  created_at: Date
  updated_at: Date
  /** Counts changes, so that a change applies only to the guest as it was read. */
  revision: number
  /** The category that a change in progress is about to put the guest in. */
  moving_to?: string
  /** What `search` looks at (search.ts). */
  search_words: string[]
  sort_name: string
  /** How long the name is where that is much, for badges to be tried with (search.ts); null or absent otherwise. */
  long_name?: number | null
}

/** The badge's state in a guest. */
export type BadgeState = Partial<
  Pick<StoredGuest, 'badge_completed' | 'badge_due' | 'badge_order' | 'quiet_badge_order'>
>

/** What a change that comes from another system stores beside the fields of the guest. */
export type AdoptionOfGuest = Pick<StoredGuest, 'adopted' | 'promo_code' | 'updated_at'>

type Derived = Pick<StoredGuest, 'search_words' | 'sort_name' | 'long_name' | 'status' | 'own_status' | 'registered_at'>

/** A guest without the fields that are derived from the others. */
export type NewGuest = Omit<StoredGuest, 'revision' | 'checked_in_at' | keyof Derived> &
  Pick<GuestFields, 'status' | 'registered_at'> &
  Partial<Pick<StoredGuest, 'checked_in_at'>>

/** A new guest with its derived fields. */
export function complete(guest: NewGuest): StoredGuest {
  return { ...guest, checked_in_at: guest.checked_in_at ?? NOT_ENTERED, revision: 0, ...derived(guest) }
}

/** The fields that are derived from the others. */
export function derived(guest: NewGuest & Pick<StoredGuest, 'own_status'>): Derived {
  return {
    search_words: searchWords(guest),
    sort_name: sortName(guest),
    long_name: longName(guest),
    registered_at: guest.registered_at ?? guest.created_at,
    ...statusOf(guest),
  }
}

/**
 * The status as it is stored: that of the reply while it is `declined`, and its own beside it. `declined` that was given together with that
 * reply, as by who sends back what was read, is no status of its own. A guest older than the field has registered.
 */
function statusOf({
  status = 'registered',
  own_status,
  rsvp_status,
}: Partial<Pick<StoredGuest, 'status' | 'own_status' | 'rsvp_status'>>): Pick<StoredGuest, 'status' | 'own_status'> {
  const hasDeclined = rsvp_status === 'declined'
  const own = status === 'declined' ? (own_status ?? (hasDeclined ? 'registered' : 'declined')) : status
  if (hasDeclined) return { status: 'declined', own_status: own }
  return { status: own, ...(own_status && { own_status: null }) }
}
