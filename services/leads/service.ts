import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { Outbox } from '@gatehouse/proto/events/outbox.ts'
import { type ErasureCallbacks, personalDataHandlers } from '@gatehouse/proto/privacy/serving.ts'
import type { ConfigOf } from '@gatehouse/proto/process/config.ts'
import type { Running } from '@gatehouse/proto/serving/run.ts'
import { encryptionSettings, startService } from '@gatehouse/proto/serving/service.ts'
import { Encrypter } from '@gatehouse/proto/storage/encryption.ts'
import { prepared } from '@gatehouse/proto/storage/mongo.ts'
import { appHandlers } from './apps/handlers.ts'
import { AppStore } from './apps/store.ts'
import { connectionHandlers } from './connections/handlers.ts'
import { leadTexts, personalAuthors, personalLeads } from './connections/resource.ts'
import { LeadStore, type PlannedLead, recoverLeads } from './connections/store.ts'
import type { Dependencies } from './dependencies.ts'
import { finishDeletions } from './exhibitors/deletion.ts'
import { exhibitorHandlers } from './exhibitors/handlers.ts'
import { exhibitorTexts, personalExhibitors } from './exhibitors/resource.ts'
import { ExhibitorStore } from './exhibitors/store.ts'
import { leadGuestHandlers } from './lead-guests/handlers.ts'
import { licenceHandlers } from './licences/handlers.ts'
import { events, guests, permissions } from './permissions.ts'
import * as resources from './resources.ts'

/** The settings of the leads service. */
export const settings = encryptionSettings

/** The leads service: exhibitors, their leads, and the licences of their apps. */
export function start(config: ConfigOf<typeof settings>): Promise<Running> {
  return startService('leads', permissions, config, async ({ bus, store, serve, retries, domain, log }) => {
    const exhibitors = await prepared(new ExhibitorStore(store.db))
    const leads = await prepared(new LeadStore(store.db))
    const outbox = await prepared(new Outbox<PlannedLead>({ db: store.db, domain, log, recover: recoverLeads(leads) }))
    await finishDeletions(exhibitors, leads)
    const dependencies: Dependencies = {
      exhibitors,
      leads,
      apps: new AppStore(store.db),
      eventClient: clientOf(bus, events),
      guestClient: clientOf(bus, guests),
      outbox,
      retries,
      encrypter: new Encrypter(config.secrets_key),
    }
    serve(resources.exhibitors, exhibitorHandlers(dependencies))
    serve(resources.connections, connectionHandlers(dependencies))
    serve(resources.leadGuests, leadGuestHandlers(dependencies))
    serve(resources.licences, licenceHandlers(dependencies))
    serve(resources.apps, appHandlers(dependencies))
    const touched: ErasureCallbacks = { further: () => ({ $set: { updated_at: new Date() } }) }
    const personal = [personalLeads, personalAuthors, personalExhibitors]
    const erasures = { [personalAuthors.name]: touched, [personalExhibitors.name]: touched }
    serve(resources.personalData, personalDataHandlers(store.db, personal, erasures, [leadTexts, exhibitorTexts]))
    outbox.start()
    return { drain: () => outbox.stop() }
  })
}
