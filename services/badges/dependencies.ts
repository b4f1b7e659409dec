import { clientOf } from '@gatehouse/proto/bus/client.ts'
import type { ServiceContext } from '@gatehouse/proto/serving/service.ts'
import { prepared } from '@gatehouse/proto/storage/mongo.ts'
import { BadgeLogoStore } from './badge-templates/logos/store.ts'
import { TemplateOrders } from './badge-templates/orders.ts'
import { BadgeTemplateStore } from './badge-templates/store.ts'
import { BadgeDesigns } from './badges/designs.ts'
import { BadgeMaker } from './badges/maker.ts'
import { PrintTurns } from './badges/print-turns.ts'
import { BadgeStore } from './badges/store.ts'
import { FileStore } from './files/store.ts'
import { Guests } from './guests.ts'
import { PublicLinks } from './links.ts'
import { badgeOrders, guestFields } from './permissions.ts'
import { UpdateSources } from './wallet-passes/apple-pass.ts'
import { PassContents } from './wallet-passes/contents.ts'
import { PassEvents } from './wallet-passes/events.ts'
import { applePassesOf, googlePassesOf, type WalletConfig } from './wallet-passes/settings.ts'
import { Apns } from './wallet-passes/updates/apns.ts'
import { GoogleUpdates } from './wallet-passes/updates/google-updates.ts'
import { Pushing } from './wallet-passes/updates/pushing.ts'
import { HeldPassStore } from './wallet-passes/updates/store.ts'
import { Tracking } from './wallet-passes/updates/tracking.ts'

/** What the actions of the badges service depend on. */
export type Dependencies = Awaited<ReturnType<typeof dependenciesOf>>

/** Makes what the actions of the badges service depend on, with the indexes of all stores. */
export async function dependenciesOf(
  config: { public_url: string; secrets_key: string } & WalletConfig,
  { bus, store: { db }, log }: ServiceContext,
) {
  const guests = new Guests(bus)
  const badges = await prepared(new BadgeStore(db))
  const templates = await prepared(new BadgeTemplateStore(db))
  const badgeLogos = await prepared(new BadgeLogoStore(db))
  const clients = { badgeOrderClient: clientOf(bus, badgeOrders), guestFieldClient: clientOf(bus, guestFields) }
  const passEvents = new PassEvents(bus)
  const heldPasses = await prepared(new HeldPassStore(db))
  const applePasses = applePassesOf(config)
  const googlePasses = googlePassesOf(config)
  const passContents = new PassContents(guests, passEvents)
  const apns = applePasses && new Apns(applePasses, config)
  const google = googlePasses && new GoogleUpdates(googlePasses, config)
  const pushing = (apns ?? google) && new Pushing({ store: heldPasses, passContents, apns, google, log })
  const designs = new BadgeDesigns({ templates, badgeLogos, guests, orders: clients.badgeOrderClient })
  return {
    badges,
    templates,
    badgeLogos,
    templateOrders: new TemplateOrders(templates, bus, log),
    files: await prepared(new FileStore(db)),
    guests,
    links: new PublicLinks(config),
    designs,
    passEvents,
    passContents,
    heldPasses,
    pushing,
    tracking: new Tracking({ store: heldPasses, guests, passEvents, passContents, pushing }),
    updateSources: new UpdateSources(config),
    applePasses,
    googlePasses,
    printTurns: await prepared(new PrintTurns(db)),
    maker: new BadgeMaker({ bus, store: badges, guests, designs }),
    ...clients,
  }
}
