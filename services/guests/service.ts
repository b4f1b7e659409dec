import { integer, text } from '@gatehouse/proto/declaring/fields.ts'
import { hookSettings } from '@gatehouse/proto/declaring/webhook-urls.ts'
import { personalDataHandlers } from '@gatehouse/proto/privacy/serving.ts'
import type { ConfigOf } from '@gatehouse/proto/process/config.ts'
import { publicUrlSettings } from '@gatehouse/proto/process/public-url.ts'
import { eventDataHandlers } from '@gatehouse/proto/serving/event-data.ts'
import type { Running } from '@gatehouse/proto/serving/run.ts'
import { encryptionSettings, startService } from '@gatehouse/proto/serving/service.ts'
import { ChangeLog } from '@gatehouse/proto/storage/change-log.ts'
import { badgeOrderHandlers } from './badge-orders/handlers.ts'
import { dependenciesOf } from './dependencies.ts'
import { erasureHandlers } from './erasures/handlers.ts'
import { Retention } from './erasures/retention.ts'
import { eventArchiveHandlers } from './event-archives/handlers.ts'
import { guestsEventData } from './event-data.ts'
import { eventImportHandlers } from './event-imports/handlers.ts'
import { startCopySweep } from './events/copying.ts'
import { eventHandlers } from './events/handlers.ts'
import { personalEvents } from './events/personal.ts'
import { guestCategoryHandlers } from './guest-categories/handlers.ts'
import { guestFieldHandlers } from './guest-fields/handlers.ts'
import { onChange } from './guests/changes.ts'
import { entryMigration } from './guests/entries.ts'
import { guestErasure } from './guests/erasing.ts'
import { guestHandlers } from './guests/handlers.ts'
import { guestTexts, personalGuests } from './guests/resource.ts'
import { searchMigration } from './guests/search-migration.ts'
import type { StoredGuest } from './guests/stored-guest.ts'
import { hostMailHandlers } from './host-mails/handlers.ts'
import { permissions } from './permissions.ts'
import { personalDocumentHandlers } from './personal-documents/handlers.ts'
import * as resources from './resources.ts'
import { statisticsHandlers } from './statistics/handlers.ts'
import * as topics from './topics.ts'

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
  return startService('guests', permissions, config, async (context) => {
    const { bus, store, serve, trail, log } = context
    const changeLog = new ChangeLog(config.redis_url, config.namespace, log)
    await changeLog.connect()
    const dependencies = await dependenciesOf(config, context, changeLog)
    const { events, guests, erasures, erasing, deleting, entrySync, outbox, orderQueue } = dependencies
    onChange(bus, ({ event_id, uids, moved_from }) => guests.invalidate(event_id, uids, moved_from))
    bus.listen(topics.entered, ({ event_id }) => guests.invalidateEntries(event_id))
    bus.listen(topics.imported, () => guests.invalidateAll())
    bus.onReconnect(() => guests.invalidateAll())
    serve(resources.events, eventHandlers(dependencies))
    serve(resources.eventArchives, eventArchiveHandlers(dependencies))
    serve(resources.eventImports, eventImportHandlers(dependencies))
    serve(resources.guestCategories, guestCategoryHandlers(dependencies))
    serve(resources.guestFields, guestFieldHandlers(dependencies))
    serve(resources.guests, guestHandlers(dependencies))
    serve(resources.statistics, statisticsHandlers(dependencies))
    serve(resources.hostMails, hostMailHandlers(dependencies))
    serve(resources.badgeOrders, badgeOrderHandlers(dependencies))
    const personal = [personalGuests, personalEvents(events)]
    const guestErasures = { [personalGuests.name]: guestErasure(dependencies) }
    serve(resources.personalData, personalDataHandlers(store.db, personal, guestErasures, [guestTexts]))
    serve(resources.eventData, eventDataHandlers(store.db, guestsEventData))
    serve(resources.erasures, erasureHandlers(dependencies))
    serve(resources.personalDocuments, personalDocumentHandlers(dependencies))
    const retention = new Retention({ events, store: erasures, erasing, trail, log })
    for (const each of [outbox, erasing, deleting, entrySync, retention]) each.start()
    const copies = startCopySweep(dependencies, log)
    return {
      cell: {
        events: guestsEventData.collections,
        accounts: { events: 'account_id' },
        last: {
          guests: ({ host_mail_due, badge_due }: StoredGuest) => host_mail_due !== undefined || badge_due !== undefined,
        },
      },
      migrations: [searchMigration, entryMigration],
      drain: async () => {
        await Promise.all([orderQueue.stop(), erasing.stop(), deleting.stop(), entrySync.stop(), retention.stop()])
        await copies.stop()
        await outbox.stop()
      },
      stop: () => changeLog.close(),
    }
  })
}
