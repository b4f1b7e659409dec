import { PublicLinks } from '@gatehouse/badges/links'
import { events, guests } from '@gatehouse/guests/resources'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { serveResource } from '@gatehouse/proto/bus/serving.ts'
import { integer } from '@gatehouse/proto/declaring/fields.ts'
import type { EventType } from '@gatehouse/proto/events/domain-events.ts'
import { Outbox, type OutboxEntry } from '@gatehouse/proto/events/outbox.ts'
import { delaysOf, retryDelays } from '@gatehouse/proto/process/retry-delays.ts'
import type { Running } from '@gatehouse/proto/process/run.ts'
import { startService } from '@gatehouse/proto/process/service.ts'
import { type EncryptionConfig, encryptionSettings } from '@gatehouse/proto/storage/encryption.ts'
import { accounts } from '@gatehouse/sso/resources'
import { blockedRecipientHandlers } from './blocked-recipients/handlers.ts'
import { BlockedRecipientStore } from './blocked-recipients/store.ts'
import { confirmationHandlers } from './confirmations/handlers.ts'
import { ConfirmationMails } from './confirmations/mails.ts'
import { CONFIRMATIONS_TOPIC } from './confirmations/resource.ts'
import { ConfirmationStore } from './confirmations/store.ts'
import { FormerRecipientStore } from './former-recipients/store.ts'
import { Claims } from './hand-overs/claims.ts'
import { handOverHandlers } from './hand-overs/handlers.ts'
import { InvitationMails } from './hand-overs/mails.ts'
import { TurnQueue } from './hand-overs/turn-queue.ts'
import { Upkeep } from './hand-overs/upkeep.ts'
import { invitationPageHandlers } from './invitation-pages/handlers.ts'
import { invitationTypeHandlers } from './invitation-types/handlers.ts'
import { InvitationTypeStore } from './invitation-types/store.ts'
import { Acceptance } from './invitations/acceptance.ts'
import { AnswerStore } from './invitations/answer-store.ts'
import { Answers, waiting } from './invitations/answers.ts'
import { invitationHandlers, ownCampaignHandlers } from './invitations/handlers.ts'
import { InvitationLinks, type LinkConfig, linkSettings } from './invitations/links.ts'
import { invitation } from './invitations/resource.ts'
import { InvitationStore } from './invitations/store.ts'
import { Feedback } from './mail-events/feedback.ts'
import { mailEventHandlers } from './mail-events/handlers.ts'
import { MailEventStore } from './mail-events/store.ts'
import { mailFeedbackHandlers } from './mail-feedback/handlers.ts'
import { type ProviderConfig, providerSettings } from './mail-feedback/settings.ts'
import type { Fetch } from './mail-feedback/sns.ts'
import { partnerAccessTokenHandlers } from './partner-access-tokens/handlers.ts'
import { PartnerAccessTokenStore } from './partner-access-tokens/store.ts'
import { CampaignCodes } from './partner-campaigns/codes.ts'
import { partnerCampaignHandlers } from './partner-campaigns/handlers.ts'
import { Settlement } from './partner-campaigns/settlement.ts'
import { PartnerCampaignStore } from './partner-campaigns/store.ts'
import { partnerPageHandlers } from './partner-pages/handlers.ts'
import { PartnerSessions } from './partner-pages/session.ts'
import { UploadStore } from './partner-pages/uploads/store.ts'
import { partnerHandlers } from './partners/handlers.ts'
import { PartnerStore } from './partners/store.ts'
import { type PartnerKey, UsageStore } from './partners/usage-store.ts'
import { type PauseConfig, Pausing, type PlannedPause, pauseSettings, recoverPauses } from './pausing/pausing.ts'
import { PauseStore } from './pausing/store.ts'
import { registrationHandlers } from './registrations/handlers.ts'
import { RegistrationTerms } from './registrations/terms.ts'
import {
  blockedRecipients,
  confirmations,
  handOvers,
  invitationPages,
  invitationTypes,
  mailEvents,
  mailFeedback,
  ownCampaigns,
  partnerAccessTokens,
  partnerCampaigns,
  partnerInvitations,
  partnerPages,
  partners,
  registrations,
  testSends,
} from './resources.ts'
import { SuppressionStore } from './suppressions/store.ts'
import { testSendHandlers } from './test-sends/handlers.ts'
import { TestSendStore } from './test-sends/store.ts'
import { UnsubscriptionStore } from './unsubscriptions/store.ts'
import { Unsubscribing } from './unsubscriptions/unsubscribing.ts'

const CLAIM_MS = 300_000
const TEST_SENDS = 20
const CONFIRMATION_WAIT_MS = 600_000
/** In all a day and a few minutes. */
const RETRY_DELAYS = '60,300,900,3600,10800,21600,50400'

/** The settings of the partners service. */
export const settings = {
  ...encryptionSettings,
  ...linkSettings,
  ...pauseSettings,
  ...providerSettings,
  mail_retry_delays: retryDelays({
    default: RETRY_DELAYS,
    description:
      'Seconds until each further attempt to hand over an e-mail which the mail server did not take; after the last it is given up',
  }),
  mail_claim_ms: integer({
    default: CLAIM_MS,
    minimum: 1_000,
    description: 'How long a process of the mail service may take for a turn, of 20 e-mails; then it is taken for dead',
  }),
  test_sends_per_hour: integer({
    default: TEST_SENDS,
    minimum: 0,
    description: 'E-mails an hour which an account may send as a test of its invitation types',
  }),
  confirmation_wait_ms: integer({
    default: CONFIRMATION_WAIT_MS,
    minimum: 0,
    description:
      'How long the e-mail which confirms a registration waits for QR code and badge; then it is sent without',
  }),
}

/** The settings as read. */
export interface PartnersConfig extends EncryptionConfig, LinkConfig, PauseConfig, ProviderConfig {
  mail_retry_delays?: string
  mail_claim_ms?: number
  test_sends_per_hour?: number
  confirmation_wait_ms?: number
}

/**
 * The partners service: partners, invitation types, campaigns, their access tokens, and the invitations which partners send. A test may give
 * what gets Amazon's certificates in its place.
 */
export function start(config: PartnersConfig, fetchFromAmazon: Fetch = fetch): Promise<Running> {
  return startService('partners', config, async ({ bus, store, retries, domain, log }) => {
    const partnerStore = new PartnerStore(store.db)
    const typeStore = new InvitationTypeStore(store.db)
    const campaignStore = new PartnerCampaignStore(store.db)
    const tokenStore = new PartnerAccessTokenStore(store.db)
    const invitationStore = new InvitationStore(store.db)
    const blockedStore = new BlockedRecipientStore(store.db)
    const usageStore = new UsageStore(store.db)
    const uploads = new UploadStore(store.db)
    const stores = {
      partners: partnerStore,
      types: typeStore,
      campaigns: campaignStore,
      tokens: tokenStore,
      invitations: invitationStore,
    }
    const formerRecipients = new FormerRecipientStore(store.db)
    await Promise.all([...Object.values(stores), blockedStore, usageStore, uploads].map((each) => each.prepare()))
    const settlement = new Settlement({ ...stores, formerRecipients }, new CampaignCodes(bus), log)
    const turns = new TurnQueue(bus)
    const offer = turns.offer.bind(turns)
    const acceptance = new Acceptance(invitationStore, usageStore)
    const claims = new Claims(invitationStore, usageStore)
    const unsubscriptions = new UnsubscriptionStore(store.db)
    const unsubscribing = new Unsubscribing(invitationStore, unsubscriptions, usageStore)
    const suppressions = new SuppressionStore(store.db)
    const pauseStore = new PauseStore(store.db)
    const recoverPause = recoverPauses(pauseStore, usageStore)
    const recoverRegistrations = async ({ items }: OutboxEntry) =>
      (await Promise.all(items.map(({ _id }) => invitationStore.get(_id)))).flatMap(waiting)
    const isPause = (type: EventType) => type === 'partner_campaign.paused'
    const outbox = new Outbox<PlannedPause>({
      db: store.db,
      domain,
      log,
      recover: async (entry) => (isPause(entry.type) ? recoverPause(entry) : recoverRegistrations(entry)),
      schemaOf: (type) => (isPause(type) ? partnerCampaigns.actions.create.reply : invitation),
    })
    await outbox.prepare()
    const pausing = new Pausing({ store: pauseStore, usageStore, outbox, offer }, config)
    const mailEventStore = new MailEventStore(store.db)
    const feedback = new Feedback({ store: mailEventStore, usageStore, suppressions, unsubscribing, pausing })
    const links = new InvitationLinks(config)
    const testSendStore = new TestSendStore(store.db, config.test_sends_per_hour ?? TEST_SENDS)
    await testSendStore.prepare()
    const sessions = new PartnerSessions(config)
    const mails = new InvitationMails(typeStore, links, bus)
    const queued = (partner: PartnerKey) => void offer(partner)
    const guestClient = clientOf(bus, guests)
    const answerStore = new AnswerStore(store.db)
    const confirmationStore = new ConfirmationStore(store.db)
    await Promise.all([answerStore.prepare(), confirmationStore.prepare()])
    const terms = new RegistrationTerms(bus)
    const delays = delaysOf(config.mail_retry_delays ?? RETRY_DELAYS)
    const answers = new Answers({
      store: answerStore,
      invitations: invitationStore,
      campaigns: campaignStore,
      types: typeStore,
      usageStore,
      terms,
      guests: guestClient,
      outbox,
      confirmable: () => bus.announce(CONFIRMATIONS_TOPIC, ''),
    })

    serveResource(bus, partners, partnerHandlers(partnerStore, campaignStore, settlement), { retries })
    serveResource(bus, invitationTypes, invitationTypeHandlers(typeStore, campaignStore, bus), { retries })
    serveResource(
      bus,
      testSends,
      testSendHandlers({ types: typeStore, blocked: blockedStore, unsubscriptions, counts: testSendStore, links, bus }),
      { retries },
    )
    serveResource(
      bus,
      partnerCampaigns,
      partnerCampaignHandlers(campaignStore, partnerStore, typeStore, settlement, pausing, bus),
      { retries },
    )
    serveResource(
      bus,
      partnerAccessTokens,
      partnerAccessTokenHandlers(tokenStore, partnerStore, campaignStore, sessions),
      { retries },
    )
    serveResource(
      bus,
      partnerInvitations,
      invitationHandlers({
        invitations: invitationStore,
        campaigns: campaignStore,
        tokens: tokenStore,
        acceptance,
        retries,
        queued,
      }),
      { retries },
    )
    serveResource(bus, ownCampaigns, ownCampaignHandlers(tokenStore, campaignStore, usageStore), { retries })
    serveResource(bus, blockedRecipients, blockedRecipientHandlers(blockedStore), { retries })
    serveResource(
      bus,
      handOvers,
      handOverHandlers({
        invitations: invitationStore,
        campaigns: campaignStore,
        blocked: blockedStore,
        unsubscriptions,
        suppressions,
        pausing,
        usageStore,
        claims,
        mails,
        claimMs: config.mail_claim_ms ?? CLAIM_MS,
        delays,
        offer,
      }),
      { retries },
    )
    serveResource(
      bus,
      invitationPages,
      invitationPageHandlers({
        invitations: invitationStore,
        formerRecipients,
        campaigns: campaignStore,
        types: typeStore,
        usageStore,
        unsubscribing,
        answers,
        terms,
        links,
        guests: guestClient,
        events: clientOf(bus, events),
        accounts: clientOf(bus, accounts),
      }),
      { retries },
    )
    serveResource(
      bus,
      confirmations,
      confirmationHandlers({
        store: confirmationStore,
        blocked: blockedStore,
        unsubscriptions,
        mails: new ConfirmationMails({
          campaigns: campaignStore,
          types: typeStore,
          terms,
          links,
          publicLinks: new PublicLinks(config),
          bus,
        }),
        delays,
        maxWaitMs: config.confirmation_wait_ms ?? CONFIRMATION_WAIT_MS,
      }),
      { retries },
    )
    serveResource(bus, registrations, registrationHandlers(invitationStore, campaignStore, answers), { retries })
    serveResource(
      bus,
      partnerPages,
      partnerPageHandlers({
        invitations: invitationStore,
        campaigns: campaignStore,
        tokens: tokenStore,
        types: typeStore,
        usageStore,
        uploads,
        acceptance,
        mails,
        sessions,
        events: clientOf(bus, events),
        queued,
      }),
      { retries },
    )
    serveResource(bus, mailEvents, mailEventHandlers(feedback, bus), { retries })
    serveResource(bus, mailFeedback, mailFeedbackHandlers(config, feedback, fetchFromAmazon), { retries })
    outbox.start()
    const upkeep = new Upkeep({
      invitations: invitationStore,
      usageStore,
      acceptance,
      claims,
      unsubscribing,
      answerStore,
      feedback,
      answers,
      claimMs: config.mail_claim_ms ?? CLAIM_MS,
      offer,
      log,
    })
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
