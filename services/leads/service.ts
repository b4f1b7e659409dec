import { Outbox } from '@gatehouse/proto/events/outbox.ts'
import { type ErasureCallbacks, personalDataHandlers } from '@gatehouse/proto/privacy/serving.ts'
import type { ConfigOf } from '@gatehouse/proto/process/config.ts'
import type { Running } from '@gatehouse/proto/serving/run.ts'
import { encryptionSettings, startService } from '@gatehouse/proto/serving/service.ts'
import { Encrypter } from '@gatehouse/proto/storage/encryption.ts'
import { prepared } from '@gatehouse/proto/storage/mongo.ts'
import { appHandlers } from './apps/handlers.ts'
import { AppStore } from './apps/store.ts'
import { connectionHandlers, keptOf, type PlannedLead } from './connections/handlers.ts'
import { leadTexts, personalAuthors, personalLeads } from './connections/resource.ts'
import { LeadStore } from './connections/store.ts'
import { exhibitorHandlers, finishDeletions } from './exhibitors/handlers.ts'
import { exhibitorTexts, personalExhibitors } from './exhibitors/resource.ts'
import { ExhibitorStore } from './exhibitors/store.ts'
import { leadGuestHandlers } from './lead-guests/handlers.ts'
import { licenceHandlers } from './licences/handlers.ts'
import { permissions } from './permissions.ts'
import * as resources from './resources.ts'

/** The settings of the leads service. */
export const settings = encryptionSettings

/** The leads service: exhibitors, their leads, and the licences of their apps. */
export function start(config: ConfigOf<typeof settings>): Promise<Running> {
  return startService('leads', permissions, config, async ({ bus, store, serve, retries, domain, log }) => {
    const encrypter = new Encrypter(config.secrets_key)
    const exhibitorStore = await prepared(new ExhibitorStore(store.db))
    const leadStore = await prepared(new LeadStore(store.db))
    const appStore = new AppStore(store.db)
    const outbox = await prepared(new Outbox<PlannedLead>({ db: store.db, domain, log, recover: keptOf(leadStore) }))
    await finishDeletions(exhibitorStore, leadStore)

    serve(resources.exhibitors, exhibitorHandlers(exhibitorStore, leadStore))
    serve(resources.connections, connectionHandlers(leadStore, exhibitorStore, bus, outbox, retries))
    serve(resources.leadGuests, leadGuestHandlers(exhibitorStore, bus))
    serve(resources.licences, licenceHandlers(appStore, exhibitorStore, encrypter, bus))
    serve(resources.apps, appHandlers(appStore, encrypter))
    const touched: ErasureCallbacks = { further: () => ({ $set: { updated_at: new Date() } }) }
    const personal = [personalLeads, personalAuthors, personalExhibitors]
    const erasures = { [personalAuthors.name]: touched, [personalExhibitors.name]: touched }
    serve(resources.personalData, personalDataHandlers(store.db, personal, erasures, [leadTexts, exhibitorTexts]))
    outbox.start()
    return { drain: () => outbox.stop() }
  })
}
