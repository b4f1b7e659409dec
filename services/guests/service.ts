import { PublicLinks } from '@gatehouse/badges/links'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { integer, text } from '@gatehouse/proto/declaring/fields.ts'
import { hookSettings } from '@gatehouse/proto/declaring/webhook-urls.ts'
import { Outbox } from '@gatehouse/proto/events/outbox.ts'
import { personalDataHandlers } from '@gatehouse/proto/privacy/serving.ts'
import type { ConfigOf } from '@gatehouse/proto/process/config.ts'
import { publicUrlSettings } from '@gatehouse/proto/process/public-url.ts'
import type { Running } from '@gatehouse/proto/serving/run.ts'
import { encryptionSettings, type ServiceContext, startService } from '@gatehouse/proto/serving/service.ts'
import { ChangeLog } from '@gatehouse/proto/storage/change-log.ts'
import { Encrypter } from '@gatehouse/proto/storage/encryption.ts'
import { prepared } from '@gatehouse/proto/storage/mongo.ts'
import { badgeOrderHandlers } from './badge-orders/handlers.ts'
import { BadgeOrderQueue } from './badge-orders/order-queue.ts'
import { BadgeOrderStore } from './badge-orders/store.ts'
import type { Dependencies } from './dependencies.ts'
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
import { GuestFieldStore } from './guest-fields/store.ts'
import { GuestChanges, onChange } from './guests/changes.ts'
import { guestErasure } from './guests/erasing.ts'
import { guestHandlers } from './guests/handlers.ts'
import { GuestLookups } from './guests/lookups.ts'
import { GuestPresenter } from './guests/presenter.ts'
import { onceAs, type PlannedChange, recoverEvents } from './guests/publishing.ts'
import { guestTexts, personalGuests } from './guests/resource.ts'
import { searchMigration } from './guests/search-migration.ts'
import { GuestStore } from './guests/store.ts'
import * as asked from './permissions.ts'
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
  return startService('guests', asked.permissions, config, async (context) => {
    const { bus, store, serve, trail, log } = context
    const changeLog = new ChangeLog(config.redis_url, config.namespace, log)
    await changeLog.connect()
    const dependencies = await dependenciesOf(config, context, changeLog)
    const { events, guests, erasures, erasing, outbox, orderQueue } = dependencies
    onChange(bus, ({ event_id, uids, moved_from }) => guests.invalidate(event_id, uids, moved_from))
    bus.onReconnect(() => guests.invalidateAll())
    serve(resources.events, eventHandlers(dependencies))
    serve(resources.guestCategories, guestCategoryHandlers(dependencies))
    serve(resources.guestFields, guestFieldHandlers(dependencies))
    serve(resources.guests, guestHandlers(dependencies))
    serve(resources.statistics, statisticsHandlers(dependencies))
    serve(resources.badgeOrders, badgeOrderHandlers(dependencies))
    const personal = [personalGuests, personalEvents(events)]
    const guestErasures = { [personalGuests.name]: guestErasure(dependencies) }
    serve(resources.personalData, personalDataHandlers(store.db, personal, guestErasures, [guestTexts]))
    serve(resources.erasures, erasureHandlers(dependencies))
    serve(resources.personalDocuments, personalDocumentHandlers(dependencies))
    const retention = new Retention({ events, store: erasures, erasing, trail, log })
    for (const each of [outbox, erasing, retention]) each.start()
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

async function dependenciesOf(
  config: ConfigOf<typeof settings>,
  { bus, store: { db }, domain, log }: ServiceContext,
  changeLog: ChangeLog,
): Promise<Dependencies> {
  const encrypter = new Encrypter(config.secrets_key)
  const lookups = new GuestLookups(db)
  const presenter = new GuestPresenter(new PublicLinks(config))
  const badgeOrders = await prepared(new BadgeOrderStore(db))
  const erasures = await prepared(new ErasureStore(db))
  const people = new People(lookups, clientOf(bus, asked.contacts))
  const services = asked.personalData.map((each) => ({ name: each.service, client: clientOf(bus, each) }))
  const secondPassMs = config.erasure_second_pass_ms
  const recover = recoverEvents(lookups, presenter)
  const schemaOf = () => resources.guests.actions.read.reply
  return {
    bus,
    encrypter,
    events: await prepared(new EventStore(db)),
    categories: await prepared(new GuestCategoryStore(db)),
    guestFields: await prepared(new GuestFieldStore(db)),
    guests: await prepared(new GuestStore(db)),
    lookups,
    badgeOrders,
    orderQueue: new BadgeOrderQueue(badgeOrders, bus, log),
    erasures,
    erasing: new Erasing({ store: erasures, people, encrypter, services, log, secondPassMs }),
    people,
    presenter,
    outbox: await prepared(new Outbox<PlannedChange>({ db, domain, log, recover, onceAs, schemaOf })),
    changes: new GuestChanges(bus, changeLog),
    accesspointClient: clientOf(bus, asked.accesspoints),
    linkClient: clientOf(bus, asked.links),
    checkInClient: clientOf(bus, asked.checkIns),
    promoCodeClient: clientOf(bus, asked.promoCodes),
    badgeClient: clientOf(bus, asked.badges),
    fileClient: clientOf(bus, asked.files),
    personalDataClients: services,
    allowPrivateHooks: config.gatehouse_allow_private_hooks,
  }
}
