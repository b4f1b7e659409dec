import { type ErasureCallbacks, personalDataHandlers } from '@gatehouse/proto/privacy/serving.ts'
import type { ConfigOf } from '@gatehouse/proto/process/config.ts'
import { publicUrlSettings } from '@gatehouse/proto/process/public-url.ts'
import { eventDataHandlers } from '@gatehouse/proto/serving/event-data.ts'
import type { Running } from '@gatehouse/proto/serving/run.ts'
import { encryptionSettings, startService } from '@gatehouse/proto/serving/service.ts'
import { appHandlers } from './apps/handlers.ts'
import { connectionHandlers } from './connections/handlers.ts'
import { leadTexts, personalAuthors, personalLeads } from './connections/resource.ts'
import { dependenciesOf } from './dependencies.ts'
import { leadsEventData } from './event-data.ts'
import { finishDeletions } from './exhibitors/deletion.ts'
import { exhibitorHandlers } from './exhibitors/handlers.ts'
import { exhibitorTexts, personalExhibitors } from './exhibitors/resource.ts'
import { leadGuestHandlers } from './lead-guests/handlers.ts'
import { licenceHandlers } from './licences/handlers.ts'
import { permissions } from './permissions.ts'
import * as resources from './resources.ts'

/** The settings of the leads service. */
export const settings = { ...encryptionSettings, ...publicUrlSettings }

/** The leads service: exhibitors, their leads, and the licences of their apps. */
export function start(config: ConfigOf<typeof settings>): Promise<Running> {
  return startService('leads', permissions, config, async (context) => {
    const { store, serve } = context
    const dependencies = await dependenciesOf(config, context)
    const { exhibitors, leads, outbox } = dependencies
    await finishDeletions(exhibitors, leads)
    serve(resources.exhibitors, exhibitorHandlers(dependencies))
    serve(resources.connections, connectionHandlers(dependencies))
    serve(resources.leadGuests, leadGuestHandlers(dependencies))
    serve(resources.licences, licenceHandlers(dependencies))
    serve(resources.apps, appHandlers(dependencies))
    const touched: ErasureCallbacks = { further: () => ({ $set: { updated_at: new Date() } }) }
    const personal = [personalLeads, personalAuthors, personalExhibitors]
    const erasures = { [personalAuthors.name]: touched, [personalExhibitors.name]: touched }
    serve(resources.eventData, eventDataHandlers(store.db, leadsEventData))
    serve(resources.personalData, personalDataHandlers(store.db, personal, erasures, [leadTexts, exhibitorTexts]))
    outbox.start()
    return { cell: { events: leadsEventData.collections }, drain: () => outbox.stop() }
  })
}
