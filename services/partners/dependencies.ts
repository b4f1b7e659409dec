import { PublicLinks } from '@gatehouse/badges/links'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { delaysOf } from '@gatehouse/proto/process/retry-delays.ts'
import type { ServiceContext } from '@gatehouse/proto/serving/service.ts'
import { PartnerAccessTokenStore } from './campaigns/partner-access-tokens/store.ts'
import { PartnerCampaignStore } from './campaigns/partner-campaigns/store.ts'
import { PartnerStore } from './campaigns/partners/store.ts'
import { UsageStore } from './campaigns/partners/usage-store.ts'
import { BlockedRecipientStore } from './delivery/blocked-recipients/store.ts'
import { FormerRecipientStore } from './delivery/former-recipients/store.ts'
import { GuestMailStore } from './delivery/guest-mails/store.ts'
import { InvitationTypeStore } from './delivery/invitation-types/store.ts'
import { AnswerStore } from './delivery/invitations/answer-store.ts'
import { InvitationLinks } from './delivery/invitations/links.ts'
import { InvitationStore } from './delivery/invitations/store.ts'
import { DeliveryStore } from './delivery/mailings/delivery-store.ts'
import { DELIVERIES, MailingStore } from './delivery/mailings/store.ts'
import { PauseStore } from './delivery/pausing/store.ts'
import { SendQueue } from './delivery/sending/send-queue.ts'
import { TestSendStore } from './delivery/test-sends/store.ts'
import { MailEventStore } from './feedback/mail-events/store.ts'
import { SuppressionStore } from './feedback/suppressions/store.ts'
import { UnsubscriptionStore } from './feedback/unsubscriptions/store.ts'
import { openOutbox } from './outbox.ts'
import { ConfirmationStore } from './pages/confirmations/store.ts'
import { PartnerSessions } from './pages/partner-pages/session.ts'
import { UploadStore } from './pages/partner-pages/uploads/store.ts'
import { RegistrationLimits } from './pages/registration-pages/limits.ts'
import { PlaceStore } from './pages/registration-pages/places.ts'
import { RegistrationStore } from './pages/registrations/store.ts'
import * as permissions from './permissions.ts'
import type { Config } from './settings.ts'

/** What sending e-mails and their feedback depend on, those of partners or those of mailings. */
export type DeliveryDependencies = Awaited<ReturnType<typeof openOwn>>

/** What the actions of the service depend on; each names in its parameters what it uses. */
export interface Dependencies extends DeliveryDependencies {
  /** The same for mailings, each of which stands in the place of a partner and of its campaign. */
  ofMailings: DeliveryDependencies
}

/** Opens the stores, and the connections to other services. */
export async function openDependencies(context: ServiceContext, config: Config): Promise<Dependencies> {
  const own = await openOwn(context, config)
  const { db } = context.store
  const ofMailings = {
    ...own,
    usage: new UsageStore(db, 'mailings'),
    campaigns: new PartnerCampaignStore(db, 'mailings'),
    invitations: new InvitationStore(db, DELIVERIES),
    pauses: new PauseStore(db, 'mailings', DELIVERIES),
    mailEvents: new MailEventStore(db, DELIVERIES),
    sendQueue: new SendQueue(context.bus, 'mailing'),
    publishesPauses: false,
    notesGuests: true,
  }
  await Promise.all([ofMailings.usage.prepare(), ofMailings.invitations.prepare()])
  return { ...own, ofMailings }
}

async function openOwn({ bus, store: { db }, domain, retries, log }: ServiceContext, config: Config) {
  const stores = {
    partners: new PartnerStore(db),
    usage: new UsageStore(db),
    campaigns: new PartnerCampaignStore(db),
    tokens: new PartnerAccessTokenStore(db),
    types: new InvitationTypeStore(db),
    invitations: new InvitationStore(db),
    answers: new AnswerStore(db),
    registrations: new RegistrationStore(db),
    places: new PlaceStore(db),
    registrationLimits: new RegistrationLimits(db, config),
    confirmations: new ConfirmationStore(db),
    blocked: new BlockedRecipientStore(db),
    suppressions: new SuppressionStore(db),
    unsubscriptions: new UnsubscriptionStore(db),
    formerRecipients: new FormerRecipientStore(db),
    mailings: new MailingStore(db),
    uploads: new UploadStore(db),
    testSends: new TestSendStore(db, config.test_sends_per_hour),
    guestMailStore: new GuestMailStore(db),
  }
  const pauses = new PauseStore(db)
  const outbox = openOutbox({ db, domain, log }, { ...stores, pauses })
  await Promise.all([...Object.values(stores), outbox].map((each) => each.prepare()))
  return {
    ...stores,
    pauses,
    mailEvents: new MailEventStore(db),
    deliveries: new DeliveryStore(db),
    outbox,
    retries,
    sendQueue: new SendQueue(bus),
    links: new InvitationLinks(config),
    /** Those of partners, also where `invitations` are deliveries of mailings. */
    partnerInvitations: stores.invitations,
    publicLinks: new PublicLinks(config),
    sessions: new PartnerSessions(config),
    eventClient: clientOf(bus, permissions.events),
    guestClient: clientOf(bus, permissions.guests),
    guestCategoryClient: clientOf(bus, permissions.guestCategories),
    guestFieldClient: clientOf(bus, permissions.guestFields),
    promoCodeClient: clientOf(bus, permissions.promoCodes),
    accountClient: clientOf(bus, permissions.accounts),
    walletClient: clientOf(bus, permissions.walletPasses),
    mailClient: clientOf(bus, permissions.outgoing),
    bus,
    config,
    publishesPauses: true,
    /** Whether those who get e-mails are guests, with whom it is stored. */
    notesGuests: false,
    /** The time until each further attempt to send an e-mail, in ms; after the last one it is given up. */
    delays: delaysOf(config.mail_retry_delays),
    log,
  }
}
