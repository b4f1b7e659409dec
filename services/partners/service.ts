import { PublicLinks } from '@gatehouse/badges/links'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { integer } from '@gatehouse/proto/declaring/fields.ts'
import type { EventType } from '@gatehouse/proto/events/domain-events.ts'
import { Outbox, type OutboxEntry } from '@gatehouse/proto/events/outbox.ts'
import { type ErasureCallbacks, personalDataHandlers } from '@gatehouse/proto/privacy/serving.ts'
import type { ConfigOf } from '@gatehouse/proto/process/config.ts'
import { publicUrlSettings } from '@gatehouse/proto/process/public-url.ts'
import { delaysOf, retryDelays } from '@gatehouse/proto/process/retry-delays.ts'
import type { Running } from '@gatehouse/proto/serving/run.ts'
import { encryptionSettings, type ServiceContext, startService } from '@gatehouse/proto/serving/service.ts'
import type { Db } from 'mongodb'
import { partnerAccessTokenHandlers } from './campaigns/partner-access-tokens/handlers.ts'
import { PartnerAccessTokenStore } from './campaigns/partner-access-tokens/store.ts'
import { CampaignCodes } from './campaigns/partner-campaigns/codes.ts'
import { partnerCampaignHandlers } from './campaigns/partner-campaigns/handlers.ts'
import { personalCampaigns } from './campaigns/partner-campaigns/resource.ts'
import { Settlement } from './campaigns/partner-campaigns/settlement.ts'
import { PartnerCampaignStore } from './campaigns/partner-campaigns/store.ts'
import { partnerHandlers } from './campaigns/partners/handlers.ts'
import { partnerTexts } from './campaigns/partners/resource.ts'
import { PartnerStore } from './campaigns/partners/store.ts'
import { type PartnerKey, UsageStore } from './campaigns/partners/usage-store.ts'
import { blockedRecipientHandlers } from './delivery/blocked-recipients/handlers.ts'
import { blockedRecipientTexts, personalBlockedRecipients } from './delivery/blocked-recipients/resource.ts'
import { BlockedRecipientStore } from './delivery/blocked-recipients/store.ts'
import { FormerRecipientStore, personalFormerRecipients } from './delivery/former-recipients/store.ts'
import { Claims } from './delivery/hand-overs/claims.ts'
import { handOverHandlers } from './delivery/hand-overs/handlers.ts'
import { InvitationMails } from './delivery/hand-overs/mails.ts'
import { turnOfferer } from './delivery/hand-overs/turns.ts'
import { Upkeep } from './delivery/hand-overs/upkeep.ts'
import { invitationTypeHandlers } from './delivery/invitation-types/handlers.ts'
import { invitationTypeTexts } from './delivery/invitation-types/resource.ts'
import { InvitationTypeStore } from './delivery/invitation-types/store.ts'
import { Acceptance } from './delivery/invitations/acceptance.ts'
import { AnswerStore } from './delivery/invitations/answer-store.ts'
import { Answers, waiting } from './delivery/invitations/answers.ts'
import { invitationErasure } from './delivery/invitations/erasing.ts'
import { invitationHandlers, ownCampaignHandlers } from './delivery/invitations/handlers.ts'
import { InvitationLinks } from './delivery/invitations/links.ts'
import { invitation, invitationTexts, personalInvitations } from './delivery/invitations/resource.ts'
import { InvitationStore } from './delivery/invitations/store.ts'
import { Pausing, type PlannedPause, pauseSettings, recoverPauses } from './delivery/pausing/pausing.ts'
import { PauseStore } from './delivery/pausing/store.ts'
import { testSendHandlers } from './delivery/test-sends/handlers.ts'
import { TestSendStore } from './delivery/test-sends/store.ts'
import { Feedback } from './feedback/mail-events/feedback.ts'
import { mailEventHandlers } from './feedback/mail-events/handlers.ts'
import { MailEventStore } from './feedback/mail-events/store.ts'
import { mailFeedbackHandlers } from './feedback/mail-feedback/handlers.ts'
import { providerSettings } from './feedback/mail-feedback/settings.ts'
import type { FetchFunction } from './feedback/mail-feedback/sns.ts'
import { suppressionHandlers } from './feedback/suppressions/handlers.ts'
import { personalSuppressions } from './feedback/suppressions/resource.ts'
import { SuppressionStore } from './feedback/suppressions/store.ts'
import { personalUnsubscriptions, UnsubscriptionStore } from './feedback/unsubscriptions/store.ts'
import { Unsubscribing } from './feedback/unsubscriptions/unsubscribing.ts'
import { confirmationHandlers } from './pages/confirmations/handlers.ts'
import { ConfirmationMails } from './pages/confirmations/mails.ts'
import { ConfirmationStore } from './pages/confirmations/store.ts'
import { invitationPageHandlers } from './pages/invitation-pages/handlers.ts'
import { partnerPageHandlers } from './pages/partner-pages/handlers.ts'
import { PartnerSessions } from './pages/partner-pages/session.ts'
import { UploadStore } from './pages/partner-pages/uploads/store.ts'
import { registrationHandlers } from './pages/registrations/handlers.ts'
import { RegistrationTerms } from './pages/registrations/terms.ts'
import { accounts, events, guests, permissions } from './permissions.ts'
import * as resources from './resources.ts'
import * as topics from './topics.ts'

/** The settings of the partners service. */
export const settings = {
  ...encryptionSettings,
  ...publicUrlSettings,
  ...pauseSettings,
  ...providerSettings,
  mail_retry_delays: retryDelays({
    // In all a day and a few minutes.
    default: '60,300,900,3600,10800,21600,50400',
    description:
      'Seconds until each further attempt to hand over an e-mail that the mail server did not take; after the last it is given up',
  }),
  mail_claim_ms: integer({
    default: 300_000,
    minimum: 1_000,
    description: 'How long a process of the mail service may take for a turn, of 20 e-mails; then it is taken for dead',
  }),
  test_sends_per_hour: integer({
    default: 20,
    minimum: 0,
    description: 'E-mails an hour that an account may send as a test of its invitation types',
  }),
  confirmation_wait_ms: integer({
    default: 600_000,
    minimum: 0,
    description:
      'How long the e-mail that confirms a registration waits for QR code and badge; then it is sent without',
  }),
}

/**
 * The partners service: partners, invitation types, campaigns, their access tokens, and the invitations that partners send. A test may give
 * what gets Amazon's certificates in its place.
 */
export function start(config: ConfigOf<typeof settings>, fetchFromAmazon: FetchFunction = fetch): Promise<Running> {
  return startService('partners', permissions, config, async ({ bus, store, serve, retries, domain, log }) => {
    const { db } = store
    const stores = {
      partners: new PartnerStore(db),
      types: new InvitationTypeStore(db),
      campaigns: new PartnerCampaignStore(db),
      tokens: new PartnerAccessTokenStore(db),
      invitations: new InvitationStore(db),
      usageStore: new UsageStore(db),
      blocked: new BlockedRecipientStore(db),
      suppressionStore: new SuppressionStore(db),
      answerStore: new AnswerStore(db),
      confirmations: new ConfirmationStore(db),
      uploads: new UploadStore(db),
      testSends: new TestSendStore(db, config.test_sends_per_hour),
      unsubscriptions: new UnsubscriptionStore(db),
      formerRecipients: new FormerRecipientStore(db),
    }
    const {
      partners: partnerStore,
      types,
      campaigns,
      tokens,
      invitations,
      usageStore,
      blocked,
      suppressionStore,
      unsubscriptions,
    } = stores
    const pauseStore = new PauseStore(db)
    const outbox = outboxOf({ db, domain, log, invitations, pauseStore, usageStore })
    await Promise.all([...Object.values(stores), outbox].map((each) => each.prepare()))

    const offer = turnOfferer(bus)
    const links = new InvitationLinks(config)
    const sessions = new PartnerSessions(config)
    const terms = new RegistrationTerms(bus)
    const clients = {
      guests: clientOf(bus, guests),
      events: clientOf(bus, events),
      accounts: clientOf(bus, accounts),
    }
    const settlement = new Settlement(stores, new CampaignCodes(bus), log)
    const acceptance = new Acceptance(invitations, usageStore)
    const claims = new Claims(invitations, usageStore)
    const unsubscribing = new Unsubscribing(invitations, unsubscriptions, usageStore)
    const pausing = new Pausing({ store: pauseStore, usageStore, outbox, offer }, config)
    const feedback = new Feedback({
      store: new MailEventStore(db),
      usageStore,
      suppressions: suppressionStore,
      unsubscribing,
      pausing,
    })
    const confirmable = () => bus.announce(topics.confirmations, '')
    const answers = new Answers({ ...stores, ...clients, store: stores.answerStore, terms, outbox, confirmable })
    const mails = new InvitationMails(types, links, bus)
    const publicLinks = new PublicLinks(config)
    const confirmationMails = new ConfirmationMails({ campaigns, types, terms, links, publicLinks, bus })
    const queued = (partner: PartnerKey) => void offer(partner)
    /** What says that an address gets no e-mail. */
    const refusals = { blocked, unsubscriptions, suppressions: suppressionStore }
    const claimMs = config.mail_claim_ms
    const delays = delaysOf(config.mail_retry_delays)

    serve(resources.partners, partnerHandlers(partnerStore, campaigns, settlement))
    serve(resources.invitationTypes, invitationTypeHandlers(types, campaigns, bus))
    serve(resources.testSends, testSendHandlers({ ...refusals, types, counts: stores.testSends, links, bus }))
    serve(resources.partnerCampaigns, partnerCampaignHandlers(campaigns, partnerStore, types, settlement, pausing, bus))
    serve(resources.partnerAccessTokens, partnerAccessTokenHandlers(tokens, partnerStore, campaigns, sessions))
    serve(resources.partnerInvitations, invitationHandlers({ ...stores, acceptance, retries, queued }))
    serve(resources.ownCampaigns, ownCampaignHandlers(tokens, campaigns, usageStore))
    serve(resources.blockedRecipients, blockedRecipientHandlers(blocked))
    serve(resources.suppressions, suppressionHandlers(suppressionStore))
    serve(
      resources.handOvers,
      handOverHandlers({ ...stores, ...refusals, pausing, claims, mails, claimMs, delays, offer }),
    )
    serve(
      resources.invitationPages,
      invitationPageHandlers({ ...stores, ...clients, unsubscribing, answers, terms, links }),
    )
    serve(resources.registrations, registrationHandlers(invitations, campaigns, answers))
    serve(
      resources.confirmations,
      confirmationHandlers({
        ...refusals,
        usageStore,
        store: stores.confirmations,
        mails: confirmationMails,
        delays,
        maxWaitMs: config.confirmation_wait_ms,
      }),
    )
    serve(resources.partnerPages, partnerPageHandlers({ ...stores, ...clients, acceptance, mails, sessions, queued }))
    serve(resources.mailEvents, mailEventHandlers(feedback, bus))
    const touched: ErasureCallbacks = { further: () => ({ $set: { updated_at: new Date() } }) }
    serve(
      resources.personalData,
      personalDataHandlers(
        db,
        [
          personalInvitations,
          personalSuppressions,
          personalUnsubscriptions,
          personalFormerRecipients,
          personalBlockedRecipients,
          personalCampaigns,
        ],
        { [personalInvitations.name]: invitationErasure, [personalCampaigns.name]: touched },
        [invitationTexts, blockedRecipientTexts, invitationTypeTexts, partnerTexts],
      ),
    )
    serve(resources.mailFeedback, mailFeedbackHandlers(config, feedback, fetchFromAmazon))

    outbox.start()
    const upkeep = new Upkeep({ ...stores, acceptance, claims, unsubscribing, feedback, answers, claimMs, offer, log })
    const sweeping = settlement.keepSweeping()
    return {
      drain: async () => {
        await upkeep.stop()
        await outbox.stop()
      },
      stop: () => sweeping.stop(),
    }
  })
}

interface Recovering extends Pick<ServiceContext, 'domain' | 'log'> {
  db: Db
  invitations: InvitationStore
  pauseStore: PauseStore
  usageStore: UsageStore
}

/** The outbox of both events of the service: a campaign paused itself, and a registration waits. */
function outboxOf({ db, domain, log, invitations, pauseStore, usageStore }: Recovering): Outbox<PlannedPause> {
  const isPause = (type: EventType) => type === 'partner_campaign.paused'
  const pauses = recoverPauses(pauseStore, usageStore)
  const pending = async ({ items }: OutboxEntry) =>
    (await Promise.all(items.map(({ _id }) => invitations.get(_id)))).flatMap(waiting)
  return new Outbox({
    db,
    domain,
    log,
    recover: async (entry) => (isPause(entry.type) ? pauses(entry) : pending(entry)),
    schemaOf: (type) => (isPause(type) ? resources.partnerCampaigns.actions.create.reply : invitation),
  })
}
