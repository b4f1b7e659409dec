import { PublicLinks } from '@gatehouse/badges/links'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { integer, text } from '@gatehouse/proto/declaring/fields.ts'
import { hookSettings } from '@gatehouse/proto/declaring/webhook-urls.ts'
import { Outbox } from '@gatehouse/proto/events/outbox.ts'
import { personalDataHandlers } from '@gatehouse/proto/privacy/serving.ts'
import type { ConfigOf } from '@gatehouse/proto/process/config.ts'
import { publicUrlSettings } from '@gatehouse/proto/process/public-url.ts'
import type { Running } from '@gatehouse/proto/serving/run.ts'
import { encryptionSettings, startService } from '@gatehouse/proto/serving/service.ts'
import { ChangeLog } from '@gatehouse/proto/storage/change-log.ts'
import { Encrypter } from '@gatehouse/proto/storage/encryption.ts'
import { prepared } from '@gatehouse/proto/storage/mongo.ts'
import { ScopedCache } from '@gatehouse/proto/storage/scoped-cache.ts'
import { badgeOrderHandlers } from './badge-orders/handlers.ts'
import { BadgeOrderQueue } from './badge-orders/order-queue.ts'
import { BadgeOrderStore } from './badge-orders/store.ts'
import { Erasing } from './erasures/erasing.ts'
import { erasureHandlers } from './erasures/handlers.ts'
import { People } from './erasures/people.ts'
import { Retention } from './erasures/retention.ts'
import { ErasureStore } from './erasures/store.ts'
import { eventHandlers } from './events/handlers.ts'
import { personalEvents } from './events/personal.ts'
import { EventStore } from './events/store.ts'
import { guestCategoryHandlers } from './guest-categories/handlers.ts'
import { GuestCategoryStore } from './guest-categories/store.ts'
import { guestFieldHandlers } from './guest-fields/handlers.ts'
import { GuestChanges, onChange } from './guests/changes.ts'
import { guestCreation } from './guests/creation.ts'
import { guestErasure } from './guests/erasing.ts'
import { guestHandlers } from './guests/handlers.ts'
import { GuestLookups } from './guests/lookups.ts'
import { GuestPresenter } from './guests/presenter.ts'
import { onceAs, type PlannedChange, recoverEvents } from './guests/publishing.ts'
import { guestTexts, personalGuests } from './guests/resource.ts'
import { searchMigration } from './guests/search-migration.ts'
import { GuestStore } from './guests/store.ts'
import { guestUpdate } from './guests/updating.ts'
import { GuestValidation } from './guests/validation.ts'
import { contacts, permissions } from './permissions.ts'
import { personalDocumentHandlers } from './personal-documents/handlers.ts'
import * as resources from './resources.ts'
import { statisticsHandlers } from './statistics/handlers.ts'

/** The settings of the guests service. */
export const settings = {
  ...encryptionSettings,
  ...publicUrlSettings,
  ...hookSettings,
  redis_url: text({ maxLength: 2000 }),
  erasure_second_pass_ms: integer({
    default: 120_000,
    minimum: 0,
    description: 'How long after the erasure of a person what was on its way meanwhile is erased too',
  }),
}

/** The guests service: events and who is invited to them. */
export function start(config: ConfigOf<typeof settings>): Promise<Running> {
  return startService('guests', permissions, config, async ({ bus, store, serve, domain, trail, log }) => {
    const encrypter = new Encrypter(config.secrets_key)
    const eventStore = await prepared(new EventStore(store.db))
    const categoryStore = await prepared(new GuestCategoryStore(store.db))
    const guestStore = await prepared(new GuestStore(store.db, new ScopedCache()))
    const lookups = new GuestLookups(store.db)
    const changeLog = new ChangeLog(config.redis_url, config.namespace, log)
    await changeLog.connect()
    const changes = new GuestChanges(bus, changeLog)
    onChange(bus, ({ event_id, uids, moved_from }) => guestStore.invalidate(event_id, uids, moved_from))
    bus.onReconnect(() => guestStore.invalidateAll())
    const orderStore = await prepared(new BadgeOrderStore(store.db))
    const orderQueue = new BadgeOrderQueue(orderStore, bus, log)
    const presenter = new GuestPresenter(new PublicLinks(config))
    const recover = recoverEvents(lookups, presenter)
    const schemaOf = () => resources.guests.actions.read.reply
    const outbox = await prepared(new Outbox<PlannedChange>({ db: store.db, domain, log, recover, onceAs, schemaOf }))

    const allowPrivateHooks = config.gatehouse_allow_private_hooks
    const eventOptions = { store: eventStore, guests: guestStore, orderQueue, bus, encrypter, allowPrivateHooks }
    serve(resources.events, eventHandlers(eventOptions))
    serve(resources.guestCategories, guestCategoryHandlers(categoryStore, guestStore, orderQueue, changes, bus))
    serve(resources.guestFields, await guestFieldHandlers(store.db))
    const validation = new GuestValidation(lookups, categoryStore, bus)
    const guestOptions = {
      store: guestStore,
      lookups,
      events: eventStore,
      categories: categoryStore,
      validation,
      creation: guestCreation(guestStore, categoryStore, validation, orderQueue, changes),
      update: guestUpdate(guestStore, categoryStore, orderQueue, changes),
      presenter,
      outbox,
      changes,
      bus,
    }
    serve(resources.guests, guestHandlers(guestOptions))
    serve(resources.statistics, statisticsHandlers(guestStore, categoryStore, bus))
    serve(resources.badgeOrders, badgeOrderHandlers(orderStore, categoryStore, outbox, presenter, bus))
    const guestErasures = { [personalGuests.name]: guestErasure({ lookups, presenter, changes, outbox }) }
    serve(
      resources.personalData,
      personalDataHandlers(store.db, [personalGuests, personalEvents(eventStore)], guestErasures, [guestTexts]),
    )
    const erasureStore = await prepared(new ErasureStore(store.db))
    const people = new People(lookups, clientOf(bus, contacts))
    const erasing = new Erasing({
      store: erasureStore,
      people,
      encrypter,
      bus,
      log,
      secondPassMs: config.erasure_second_pass_ms,
    })
    serve(resources.erasures, erasureHandlers(erasureStore, people, erasing))
    serve(resources.personalDocuments, personalDocumentHandlers(people, bus))
    outbox.start()
    erasing.start()
    const retention = new Retention({ events: eventStore, store: erasureStore, erasing, trail, log })
    retention.start()
    return {
      migrations: [searchMigration],
      drain: async () => {
        await Promise.all([orderQueue.stop(), erasing.stop(), retention.stop()])
        await outbox.stop()
      },
      stop: () => changeLog.close(),
    }
  })
}
