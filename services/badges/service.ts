import { personalDataHandlers } from '@gatehouse/proto/privacy/serving.ts'
import type { ConfigOf } from '@gatehouse/proto/process/config.ts'
import { publicUrlSettings } from '@gatehouse/proto/process/public-url.ts'
import { eventDataHandlers } from '@gatehouse/proto/serving/event-data.ts'
import type { Running } from '@gatehouse/proto/serving/run.ts'
import { encryptionSettings, startService } from '@gatehouse/proto/serving/service.ts'
import { badgeTemplateHandlers } from './badge-templates/handlers.ts'
import { badgeHandlers } from './badges/handlers.ts'
import { BadgeQueue } from './badges/queue.ts'
import { personalBadges } from './badges/resource.ts'
import { Cleanup } from './cleanup.ts'
import { dependenciesOf } from './dependencies.ts'
import { badgesEventData } from './event-data.ts'
import { fileHandlers } from './files/handlers.ts'
import { personalFiles } from './files/resource.ts'
import { permissions } from './permissions.ts'
import { qrCodeHandlers } from './qr-codes/handlers.ts'
import * as resources from './resources.ts'
import { walletPassHandlers } from './wallet-passes/handlers.ts'
import { walletPageHandlers } from './wallet-passes/pages.ts'
import { walletSettings } from './wallet-passes/settings.ts'
import { personalHeldPasses, personalPassDevices } from './wallet-passes/updates/store.ts'

/** The settings of the badges service. */
export const settings = { ...encryptionSettings, ...publicUrlSettings, ...walletSettings }

/** The settings as read. */
export type BadgesConfig = ConfigOf<typeof settings>

/** The badges service: QR codes, badges, wallet passes and guest files. */
export function start(config: BadgesConfig): Promise<Running> {
  return startService('badges', permissions, config, async (context) => {
    const { bus, store, serve, log } = context
    const personal = [personalBadges, personalFiles, personalPassDevices, personalHeldPasses]
    const dependencies = await dependenciesOf(config, context)
    serve(resources.qrCodes, qrCodeHandlers(dependencies))
    serve(resources.badges, badgeHandlers(dependencies))
    serve(resources.badgeTemplates, badgeTemplateHandlers(dependencies))
    serve(resources.files, fileHandlers(dependencies))
    serve(resources.walletPasses, walletPassHandlers(dependencies))
    serve(resources.walletPages, walletPageHandlers(dependencies))
    serve(resources.personalData, personalDataHandlers(store.db, personal))
    serve(resources.eventData, eventDataHandlers(store.db, badgesEventData))

    const queue = new BadgeQueue({ bus, maker: dependencies.maker, log })
    queue.start()
    dependencies.templateOrders.start()
    const { pushing, tracking } = dependencies
    tracking.start(bus, log)
    pushing?.wake()
    const cleanup = new Cleanup(store.db, bus, log)
    return {
      cell: { events: badgesEventData.collections },
      drain: async () => {
        await Promise.all([queue.stop(), cleanup.stop(), dependencies.templateOrders.stop(), tracking.stop()])
        await pushing?.stop()
      },
    }
  })
}
