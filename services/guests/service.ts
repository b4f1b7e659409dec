import { serveResource } from '@gatehouse/proto/calls.ts'
import { Memory } from '@gatehouse/proto/memory.ts'
import { type SealedConfig, Sealer, sealedSettings } from '@gatehouse/proto/sealing.ts'
import { type Running, startService } from '@gatehouse/proto/service.ts'
import { eventHandlers } from './events/handlers.ts'
import { EventStore } from './events/store.ts'
import { guestCategoryHandlers } from './guest-categories/handlers.ts'
import { GuestCategoryStore } from './guest-categories/store.ts'
import { guestFieldHandlers } from './guest-fields/handlers.ts'
import { GuestFieldStore } from './guest-fields/store.ts'
import { onChange } from './guests/changes.ts'
import { guestHandlers } from './guests/handlers.ts'
import { GuestStore } from './guests/store.ts'
import { events, guestCategories, guestFields, guests } from './resources.ts'

/** The settings of the guests service. */
export const settings = sealedSettings

/** The guests service: events and who is invited to them. */
export function start(config: SealedConfig): Promise<Running> {
  return startService('guests', config, async ({ bus, store, retries, domain }) => {
    const sealer = new Sealer(config.secrets_key)
    const eventStore = new EventStore(store.db)
    const categoryStore = new GuestCategoryStore(store.db)
    const fieldStore = new GuestFieldStore(store.db)
    const guestStore = new GuestStore(store.db, new Memory())
    onChange(bus, ({ event_id, uids, moved_from }) => guestStore.changed(event_id, uids, moved_from))
    bus.onReconnect(() => guestStore.changedUnheard())
    await Promise.all([eventStore.prepare(), categoryStore.prepare(), fieldStore.prepare(), guestStore.prepare()])

    serveResource(bus, events, eventHandlers(eventStore, guestStore, categoryStore, bus, sealer), { retries })
    serveResource(bus, guestCategories, guestCategoryHandlers(categoryStore, guestStore, bus), { retries })
    serveResource(bus, guestFields, guestFieldHandlers(fieldStore), { retries })
    serveResource(bus, guests, guestHandlers(guestStore, categoryStore, eventStore, domain, bus), { retries })
    return {}
  })
}
