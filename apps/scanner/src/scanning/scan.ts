import type { Problem } from '../server/problems.ts'
/** What the door says: granted, unknown guest, not authorized, too many check-ins. */
export type Status = 0 | 1 | 2 | 3

/**
 * Whether the server has a scan, and agrees with what this device did: it waits, is confirmed, or is refused. One that the steward has undone is
 * `undoing` until the server has deleted its check-in.
 */
export type ScanState = 'waiting' | 'confirmed' | 'refused' | 'undoing' | 'undone'

/** An earlier check-in of the guest. */
export interface EarlierEntry {
  access_stamp: string
  accesspoint_id: string
  persons?: number
}

/** What explains a decision. Servers and snapshots may leave any of it out. */
export interface Explanation {
  /** Why the guest is refused. */
  reason?: string | null | undefined
  /** What used the guest's right up. */
  granted_before?: EarlierEntry | null | undefined
  /** When the guest's right begins. */
  opens_at?: string | null | undefined
  /** How many persons of the guest may still come in. */
  persons_left?: number | null | undefined
}

/** What a steward sees of a guest besides the name. */
export interface GuestDetails {
  /** By which guests are greeted who check themselves in. */
  first_name?: string | null | undefined
  /** The guest and whoever comes along, in persons. */
  party_size?: number | undefined
  /** The organizer's note to the door. */
  message?: string | null | undefined
  /** The values of the guest fields that devices show. */
  fields?: readonly FieldValue[] | undefined
}

/** The value of a guest field, with the field's label. */
export interface FieldValue {
  label: string
  value: string
}

/** The guest of a scan whose uid this device does not know: the hash of the uid in a snapshot, with that snapshot's salt. */
export interface HashedGuest {
  hash: string
  salt: string
}

/** What a guest who is added at the door has besides a name and a uid, which this device makes. */
export interface WalkIn {
  guest_category_id: string
  /** How many come in. */
  persons: number
}

/** A scan as this device stores it. */
export interface StoredScan extends Explanation, GuestDetails {
  /** Its place in the order of scans. */
  sequence: number
  /** The device that made it: the server knows its repeats by the device's token. */
  device_id: string
  event_id: string
  accesspoint_id: string
  /** What was scanned. */
  content: string
  /** Null until a ciphered code is read, by the server where this device has no key. */
  guest_uid: string | null
  /** The time of the scan, by the server's clock as far as this device knows it. */
  access_stamp: string
  /** The `Idempotency-Key` of a request for this scan alone. */
  key: string
  /** Whether such a request was begun: from then on it is the only one by which the scan is sent, since a batch would record it again. */
  is_asked: boolean
  /** What the device decided by itself, where the server did not answer in time; null if it did not know either. */
  decided_offline: Status | null
  state: ScanState
  /** What the server has recorded. */
  access_status: Status | null
  /** When this device learned that, as a tick. */
  concluded_at: number | null
  /** Why the server does not take it. */
  problem: Problem | null
  /** How many come in, as far as the steward has said. */
  persons?: number | undefined
  /** The guest comes out. */
  direction?: 'out' | undefined
  /** The area is as full as its capacity, or fuller. */
  area_full?: boolean | undefined
  /** How many came in or out by it, or were to. */
  moved?: number | undefined
  /** Of the guest, as far as known. */
  name: string | null
  category: string | null
  /** The id of the check-in on the server. */
  check_in_id?: string | undefined
  /** Whether it was sent in a batch, whose answer may have been lost. */
  is_sent?: true
  /** The steward has undone it. */
  is_undone?: true
  /** When the server had deleted its check-in, as a tick. */
  undone_at?: number
  /** Why the server does not delete it. */
  undo_problem?: Problem
  /** Instead of `guest_uid`, until the server is asked for that. */
  guest_hash?: HashedGuest
  /** The guest is on no list: the server adds the guest, and knows repeats by the uid. */
  walk_in?: WalkIn
}
