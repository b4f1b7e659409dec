import type { Client } from '@gatehouse/proto/bus/client.ts'
import type { Outbox } from '@gatehouse/proto/events/outbox.ts'
import type { IdempotencyStore } from '@gatehouse/proto/serving/idempotency.ts'
import type { Encrypter } from '@gatehouse/proto/storage/encryption.ts'
import type { AppStore } from './apps/store.ts'
import type { LeadStore, PlannedLead } from './connections/store.ts'
import type { ExhibitorStore } from './exhibitors/store.ts'
import type { events, guests } from './permissions.ts'

/** What the actions of the leads service depend on. */
export interface Dependencies {
  exhibitors: ExhibitorStore
  leads: LeadStore
  apps: AppStore
  eventClient: Client<typeof events>
  guestClient: Client<typeof guests>
  outbox: Outbox<PlannedLead>
  retries: IdempotencyStore
  encrypter: Encrypter
}
