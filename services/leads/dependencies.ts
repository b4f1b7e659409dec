import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { Outbox } from '@gatehouse/proto/events/outbox.ts'
import type { LinkConfig } from '@gatehouse/proto/process/public-url.ts'
import type { ServiceContext } from '@gatehouse/proto/serving/service.ts'
import { Encrypter } from '@gatehouse/proto/storage/encryption.ts'
import { EnrolmentCodes } from '@gatehouse/proto/storage/enrolment-codes.ts'
import { prepared } from '@gatehouse/proto/storage/mongo.ts'
import { AppStore } from './apps/store.ts'
import { LeadPages } from './connections/pages.ts'
import { LeadStore, type PlannedLead, recoverLeads } from './connections/store.ts'
import { ExhibitorStore } from './exhibitors/store.ts'
import { events, guests } from './permissions.ts'

/** What the actions of the leads service depend on. */
export type Dependencies = Awaited<ReturnType<typeof dependenciesOf>>

/** Makes what the actions of the leads service depend on, with the indexes of all stores. */
export async function dependenciesOf(
  { public_url, secrets_key }: LinkConfig,
  { bus, store: { db }, domain, log, retries }: ServiceContext,
) {
  const leads = await prepared(new LeadStore(db))
  return {
    exhibitors: await prepared(new ExhibitorStore(db)),
    leads,
    leadPages: new LeadPages(db),
    apps: new AppStore(db),
    eventClient: clientOf(bus, events),
    guestClient: clientOf(bus, guests),
    outbox: await prepared(new Outbox<PlannedLead>({ db, domain, log, recover: recoverLeads(leads) })),
    retries,
    encrypter: new Encrypter(secrets_key),
    phoneCodes: new EnrolmentCodes({
      base: public_url.replace(/\/+$/, ''),
      secrets_key,
      purpose: 'exhibitor codes',
      groups: 3,
    }),
  }
}
