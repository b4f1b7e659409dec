/** What the door says: granted, unknown guest, not authorized, too many check-ins. */
export type Status = 0 | 1 | 2 | 3

/** Whether the server has a scan, and agrees with what this device did: it waits, is confirmed, or is refused. */
export type ScanState = 'waiting' | 'confirmed' | 'refused'

/** A scan as this device stores it. */
export interface StoredScan {
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
  /** Why the server does not take it, in the server's words. */
  problem: string | null
  /** Of the guest, as far as known. */
  name: string | null
  category: string | null
}
