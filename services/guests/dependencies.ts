import { PublicLinks } from '@gatehouse/badges/links'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { Outbox } from '@gatehouse/proto/events/outbox.ts'
import type { ServiceContext } from '@gatehouse/proto/serving/service.ts'
import type { ChangeLog } from '@gatehouse/proto/storage/change-log.ts'
import { Encrypter } from '@gatehouse/proto/storage/encryption.ts'
import { prepared } from '@gatehouse/proto/storage/mongo.ts'
import { BadgeOrderQueue } from './badge-orders/order-queue.ts'
import { BadgeOrderStore } from './badge-orders/store.ts'
import { Erasing } from './erasures/erasing.ts'
import { People } from './erasures/people.ts'
import { ErasureStore } from './erasures/store.ts'
import { Deleting } from './events/deleting.ts'
import { EventStore } from './events/store.ts'
import { GuestCategoryStore } from './guest-categories/store.ts'
import { GuestFieldStore } from './guest-fields/store.ts'
import { GuestChanges } from './guests/changes.ts'
import { EntryStore } from './guests/entries.ts'
import { EntrySync } from './guests/entry-sync.ts'
import { GuestLookups } from './guests/lookups.ts'
import { GuestPresenter } from './guests/presenter.ts'
import { onceAs, type PlannedChange, recoverEvents } from './guests/publishing.ts'
import { GuestStore } from './guests/store.ts'
import { HostMailStore } from './host-mails/store.ts'
import * as asked from './permissions.ts'
import { guests } from './resources.ts'

/** The settings that the dependencies take. */
interface Config {
  public_url: string
  secrets_key: string
  erasure_second_pass_ms: number
  gatehouse_allow_private_hooks: boolean
}

/** What the actions of the guests service depend on. */
export type Dependencies = Awaited<ReturnType<typeof dependenciesOf>>

/** Makes what the actions of the guests service depend on, with the indexes of all stores. */
export async function dependenciesOf(
  config: Config,
  { bus, store: { db }, domain, log }: ServiceContext,
  changeLog: ChangeLog,
) {
  const encrypter = new Encrypter(config.secrets_key)
  const lookups = new GuestLookups(db)
  const presenter = new GuestPresenter(new PublicLinks(config))
  const badgeOrders = await prepared(new BadgeOrderStore(db))
  const erasures = await prepared(new ErasureStore(db))
  const people = new People(lookups, clientOf(bus, asked.contacts))
  const services = asked.personalData.map((each) => ({ name: each.service, client: clientOf(bus, each) }))
  const events = await prepared(new EventStore(db))
  const eventDataServices = asked.eventData.map((each) => ({ name: each.service, client: clientOf(bus, each) }))
  const secondPassMs = config.erasure_second_pass_ms
  const recover = recoverEvents(lookups, presenter)
  const checkInClient = clientOf(bus, asked.checkIns)
  const entrySync = new EntrySync(new EntryStore(db), checkInClient, bus, log)
  const schemaOf = () => guests.actions.read.reply
  return {
    bus,
    encrypter,
    events,
    deleting: new Deleting({ store: events, services: eventDataServices, log, secondPassMs }),
    categories: await prepared(new GuestCategoryStore(db)),
    guestFields: await prepared(new GuestFieldStore(db)),
    guests: await prepared(new GuestStore(db)),
    hostMails: await prepared(new HostMailStore(db)),
    lookups,
    badgeOrders,
    orderQueue: new BadgeOrderQueue(badgeOrders, bus, log),
    erasures,
    erasing: new Erasing({ store: erasures, people, encrypter, services, log, secondPassMs }),
    people,
    presenter,
    outbox: await prepared(new Outbox<PlannedChange>({ db, domain, log, recover, onceAs, schemaOf })),
    entrySync,
    changes: new GuestChanges(bus, changeLog, entrySync),
    /** The doors read each change of the event's days from it before the change is answered. */
    changeLog,
    accountClient: clientOf(bus, asked.accounts),
    accesspointClient: clientOf(bus, asked.accesspoints),
    invitationTypeClient: clientOf(bus, asked.invitationTypes),
    linkClient: clientOf(bus, asked.links),
    checkInClient,
    promoCodeClient: clientOf(bus, asked.promoCodes),
    badgeClient: clientOf(bus, asked.badges),
    badgeTemplateClient: clientOf(bus, asked.badgeTemplates),
    fileClient: clientOf(bus, asked.files),
    /** In the order of a deletion. */
    eventDataServices,
    /** In the order of an erasure. */
    personalDataClients: services,
    /** Whether a badge hook may have an address that is not public. */
    allowPrivateHooks: config.gatehouse_allow_private_hooks,
  }
}
