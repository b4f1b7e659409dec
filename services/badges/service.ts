import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { personalDataHandlers } from '@gatehouse/proto/privacy/serving.ts'
import type { ConfigOf } from '@gatehouse/proto/process/config.ts'
import { publicUrlSettings } from '@gatehouse/proto/process/public-url.ts'
import type { Running } from '@gatehouse/proto/serving/run.ts'
import { encryptionSettings, startService } from '@gatehouse/proto/serving/service.ts'
import { prepared } from '@gatehouse/proto/storage/mongo.ts'
import { badgeHandlers } from './badges/handlers.ts'
import { BadgeMaker } from './badges/maker.ts'
import { BadgeQueue } from './badges/queue.ts'
import { personalBadges } from './badges/resource.ts'
import { BadgeStore } from './badges/store.ts'
import { Cleanup } from './cleanup.ts'
import { fileHandlers } from './files/handlers.ts'
import { personalFiles } from './files/resource.ts'
import { FileStore } from './files/store.ts'
import { Guests } from './guests.ts'
import { PublicLinks } from './links.ts'
import { guestFields, permissions } from './permissions.ts'
import { qrCodeHandlers } from './qr-codes/handlers.ts'
import * as resources from './resources.ts'

/** The settings of the badges service. */
export const settings = { ...encryptionSettings, ...publicUrlSettings }

/** The badges service: QR codes, badges and guest files. */
export function start(config: ConfigOf<typeof settings>): Promise<Running> {
  return startService('badges', permissions, config, async ({ bus, store, serve, log }) => {
    const guests = new Guests(bus)
    const badges = await prepared(new BadgeStore(store.db))
    const maker = new BadgeMaker({ bus, store: badges, guests })
    const files = await prepared(new FileStore(store.db))
    const links = new PublicLinks(config)
    const dependencies = { badges, files, guests, links, maker, guestFieldClient: clientOf(bus, guestFields) }
    serve(resources.qrCodes, qrCodeHandlers(dependencies))
    serve(resources.badges, badgeHandlers(dependencies))
    serve(resources.files, fileHandlers(dependencies))
    serve(resources.personalData, personalDataHandlers(store.db, [personalBadges, personalFiles]))

    const queue = new BadgeQueue({ bus, maker, log })
    queue.start()
    const cleanup = new Cleanup(store.db, bus, log)
    return {
      drain: async () => {
        await Promise.all([queue.stop(), cleanup.stop()])
      },
    }
  })
}
