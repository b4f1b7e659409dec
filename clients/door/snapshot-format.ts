import type { DayRule } from './event-day.ts'

/** The format of the messages here; a reader refuses others. */
export const FORMAT = 1

/** What `GET /events/{event_id}/snapshot` answers (docs/snapshot.md). */
export interface SnapshotMessage {
  format: number
  /** A whole snapshot, or a difference from the snapshot whose cursor was sent. */
  kind: 'whole' | 'difference'
  /** The answer is whole because the cursor that was sent is too old, or unknown. */
  cursor_too_old?: true
  event_id: string
  cursor: string
  /** The server's time; what was answered before is in the snapshot. */
  made_at: string
  salt: string
  /** All of them, also in a difference. Walk-ins may be added to those with `walk_in`. */
  categories: { _id: string; name: string; walk_in?: true }[]
  /** All of them, each with its links. `area`: its `area_id`, unless it belongs to the event as a whole. At one with `signature` guests sign. */
  accesspoints: {
    _id: string
    name: string
    links: SnapshotLink[]
    area?: string
    direction?: 'out'
    signature?: true
  }[]
  /** All of them; absent if there are none. */
  areas?: { _id: string; name: string; capacity: number | null }[]
  /** The guest fields whose values are shown, all of them; absent if there are none. */
  fields?: { key: string; label: string }[]
  /** When the event's days begin; absent for midnight in UTC. */
  day?: DayRule
  /** Those who are new or changed, complete. */
  guests: GuestColumns
  /** The hashes of those who are no guests any more. */
  gone: string
}

/**
 * A category's number in `categories`, and `max_allowed_accesses`. A link with times or further terms has `valid_from` and `valid_until` too, in ms
 * since 1970 or null.
 */
export type SnapshotLink = [
  category: number,
  limit: number,
  valid_from?: number | null,
  valid_until?: number | null,
  terms?: SnapshotTerm[],
]

/** `day`: the allowance counts anew each day. `reentry`: whoever comes out may come in again. */
export type SnapshotTerm = 'day' | 'reentry'

/** Guests in columns (columns.ts). Columns for some of the guests begin with these guests' numbers: their places in `hashes`, from 0 on. */
export interface GuestColumns {
  /** Eight bytes of each. */
  hashes: string
  /** The number of each guest's category in `categories`. */
  categories: string
  own: OwnRights
  names: { guests: string; first_names: (string | null)[]; last_names: (string | null)[] }
  /** What else is known of guests whose categories allow names; absent if there is nothing. */
  companies?: TextColumn
  positions?: TextColumn
  /** The organizer's notes to the door. */
  messages?: TextColumn
  /** Values of guest fields, by the field's number in `fields`; absent if there are none. */
  values?: ({ field: number } & TextColumn)[]
  /** Guests with a `party_size` other than 1; absent if there are none. */
  parties?: { guests: string; sizes: string }
  /**
   * How many persons of guests' allowances are used at a check-in point, by its number in `accesspoints`; of allowances for each day, on the day
   * of this number.
   */
  uses: UsesColumn[]
  /** The same of all who came in, where some of a guest have come out and no longer count; absent if there are none. */
  entered?: UsesColumn[]
}

/** Numbers of persons of some of the guests, at a check-in point and on a day. */
export interface UsesColumn {
  accesspoint: number
  day?: number
  guests: string
  counts: string
}

/** Texts of some of the guests. */
export interface TextColumn {
  guests: string
  texts: string[]
}

/** Guests' own rights; a guest may have several. */
export interface OwnRights {
  guests: string
  /** Numbers in `accesspoints`. */
  accesspoints: string
  /** 1 for `access_once`, 0 for no limit. */
  once: string
}
