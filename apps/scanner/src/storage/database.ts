import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import type { KeptScan, ScanState } from '../scanning/scan.ts'
import type { KeptSignature, SignatureState } from '../signing/signature.ts'
import type { KeptDevice, KeptSnapshot } from './kept.ts'

interface ScannerSchema extends DBSchema {
  device: { key: 'own'; value: KeptDevice }
  snapshot: { key: number; value: KeptSnapshot }
  scans: {
    key: number
    value: KeptScan
    indexes: { state: ScanState; own: [string, ScanState]; guest: [string, string] }
  }
  signatures: { key: number; value: KeptSignature; indexes: { state: SignatureState; own: [string, SignatureState] } }
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
