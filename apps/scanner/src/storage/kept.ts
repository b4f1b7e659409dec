import type { CodeKey } from '../scanning/code-key.ts'
import type { Sealed } from './sealed.ts'

/** What this device is, as the organizer has made it. */
export interface KeptDevice {
  _id: string
  name: string | null
  event_id: string
  event_title: string
  /** The check-in points at which it may scan; all of the event if there are none. */
  accesspoint_ids: string[]
  /** Null once it is revoked. */
  token: string | null
  /** Where it scans now. */
  accesspoint: { _id: string; name: string } | null
  /** What has to be added to its clock, in ms, to get the server's. */
  clock_offset: number
  /** For ciphered codes, while the organizer allows it. */
  code_key?: CodeKey | undefined
}

/** A snapshot as it lies on this device. */
export interface KeptSnapshot {
  event_id: string
  /** When it was asked for, as a tick, by which it is kept. */
  asked_at: number
  sealed: Sealed
}
