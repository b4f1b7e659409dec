import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import type { StoredPrint } from '../printing/print.ts'

/** The station, as the organizer has set it up. */
export interface StoredStation {
  /** Of the device. */
  _id: string
  name: string | null
  event_id: string
  /** Null once it is revoked. */
  token: string | null
  /** The server's time when it was set up: who was let in before is not printed by itself. */
  since: string
}

interface PrintSchema extends DBSchema {
  station: { key: 'own'; value: StoredStation }
  prints: { key: string; value: StoredPrint }
}

/** What the station keeps. */
export type Database = IDBPDatabase<PrintSchema>

/** Opens what the station keeps, and makes it at the first time. */
export function openDatabase(): Promise<Database> {
  return openDB<PrintSchema>('gatehouse-print', 1, {
    upgrade(database) {
      database.createObjectStore('station')
      database.createObjectStore('prints', { keyPath: 'guest_uid' })
    },
  })
}
