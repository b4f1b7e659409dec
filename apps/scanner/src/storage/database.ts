import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import type { StoredPin } from '../kiosk/pin.ts'
import type { CodeKey } from '../scanning/code-key.ts'
import type { ScanState, StoredScan } from '../scanning/scan.ts'
import type { SelfTestResult } from '../self-test/result.ts'
import type { SignatureState, StoredSignature } from '../signing/signature.ts'
import type { Sealed } from './sealed.ts'

/** The device, as the organizer has set it up. */
export interface StoredDevice {
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
  /** How its test of itself ended, until the server has that. */
  self_test?: SelfTestResult | undefined
  /** Whether it has neither tested itself nor scanned since it was enrolled. */
  is_untried?: boolean | undefined
  /** Locks settings and check-in point. */
  pin?: StoredPin | undefined
  /** Guests check themselves in. */
  is_kiosk?: true | undefined
}

/** A snapshot as this device stores it. */
export interface StoredSnapshot {
  event_id: string
  /** When it was asked for, as a tick, by which it is kept. */
  asked_at: number
  sealed: Sealed
}

interface ScannerSchema extends DBSchema {
  device: { key: 'own'; value: StoredDevice }
  snapshot: { key: number; value: StoredSnapshot }
  scans: {
    key: number
    value: StoredScan
    indexes: { state: ScanState; own: [string, ScanState]; guest: [string, string] }
  }
  signatures: { key: number; value: StoredSignature; indexes: { state: SignatureState; own: [string, SignatureState] } }
}

/** What the app keeps on this device. */
export type Database = IDBPDatabase<ScannerSchema>

/** Opens what the app keeps, and makes it at the first time. */
export function openDatabase(): Promise<Database> {
  return openDB<ScannerSchema>('gatehouse-scanner', 1, {
    upgrade(database) {
      database.createObjectStore('device')
      database.createObjectStore('snapshot')
      const scans = database.createObjectStore('scans', { keyPath: 'sequence', autoIncrement: true })
      scans.createIndex('state', 'state')
      scans.createIndex('own', ['device_id', 'state'])
      scans.createIndex('guest', ['accesspoint_id', 'guest_uid'])
      const signatures = database.createObjectStore('signatures', { keyPath: 'sequence', autoIncrement: true })
      signatures.createIndex('state', 'state')
      signatures.createIndex('own', ['device_id', 'state'])
    },
  })
}
