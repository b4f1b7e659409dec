import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import type { LeadState, StoredLead } from '../lead/lead.ts'

/** The stand for which this phone collects leads. */
export interface StoredStand {
  /** Of the exhibitor. */
  _id: string
  name: string
  event_id: string
  /** Null once the organizer has ended it. */
  access_token: string | null
  /** Who scans. */
  author: string
}

interface LeadsSchema extends DBSchema {
  stand: { key: 'own'; value: StoredStand }
  leads: { key: [string, string]; value: StoredLead; indexes: { state: [string, LeadState] } }
}

/** What the app keeps on this phone. */
export type Database = IDBPDatabase<LeadsSchema>

/** Opens what the app keeps, and makes it at the first time. */
export function openDatabase(): Promise<Database> {
  return openDB<LeadsSchema>('gatehouse-leads', 1, {
    upgrade(database) {
      database.createObjectStore('stand')
      const leads = database.createObjectStore('leads', { keyPath: ['exhibitor_id', 'key'] })
      leads.createIndex('state', ['exhibitor_id', 'state'])
    },
  })
}
