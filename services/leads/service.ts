import { serveResource } from '@gatehouse/proto/calls.ts'
import { type SealedConfig, Sealer, sealedSettings } from '@gatehouse/proto/sealing.ts'
import { type Running, startService } from '@gatehouse/proto/service.ts'
import { appHandlers } from './apps/handlers.ts'
import { AppStore } from './apps/store.ts'
import { connectionHandlers } from './connections/handlers.ts'
import { LeadStore } from './connections/store.ts'
import { exhibitorHandlers, finishDeletions } from './exhibitors/handlers.ts'
import { ExhibitorStore } from './exhibitors/store.ts'
import { leadGuestHandlers } from './lead-guests/handlers.ts'
import { licenceHandlers } from './licences/handlers.ts'
import { apps, connections, exhibitors, leadGuests, licences } from './resources.ts'

/** The settings of the leads service. */
export const settings = sealedSettings

/** The leads service: exhibitors, their leads, and the licences of their apps. */
export function start(config: SealedConfig): Promise<Running> {
  return startService('leads', config, async ({ bus, store, retries, domain }) => {
    const sealer = new Sealer(config.secrets_key)
    const exhibitorStore = new ExhibitorStore(store.db)
    const leadStore = new LeadStore(store.db)
    const appStore = new AppStore(store.db)
    await Promise.all([exhibitorStore.prepare(), leadStore.prepare()])
    await finishDeletions(exhibitorStore, leadStore)

    serveResource(bus, exhibitors, exhibitorHandlers(exhibitorStore, leadStore), { retries })
    serveResource(bus, connections, connectionHandlers(leadStore, exhibitorStore, bus, domain, retries), { retries })
    serveResource(bus, leadGuests, leadGuestHandlers(exhibitorStore, bus), { retries })
    serveResource(bus, licences, licenceHandlers(appStore, exhibitorStore, sealer, bus), { retries })
    serveResource(bus, apps, appHandlers(appStore, sealer), { retries })
    return {}
  })
}
