import { PublicLinks } from '@gatehouse/badges/links'
import { events, guests } from '@gatehouse/guests/resources'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { serveResource } from '@gatehouse/proto/bus/serving.ts'
import { integer, text } from '@gatehouse/proto/declaring/fields.ts'
import { Outbox, type OutboxEntry } from '@gatehouse/proto/events/outbox.ts'
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
import { partnerAccessTokenHandlers } from './partner-access-tokens/handlers.ts'
import { PartnerAccessTokenStore } from './partner-access-tokens/store.ts'
import { CampaignCodes } from './partner-campaigns/codes.ts'
import { partnerCampaignHandlers } from './partner-campaigns/handlers.ts'
import { Settlement } from './partner-campaigns/settlement.ts'
import { PartnerCampaignStore } from './partner-campaigns/store.ts'
import { partnerHandlers } from './partners/handlers.ts'
import { PartnerStore } from './partners/store.ts'
import { UsageStore } from './partners/usage-store.ts'
import { registrationHandlers } from './registrations/handlers.ts'
import { RegistrationTerms } from './registrations/terms.ts'
import {
  blockedRecipients,
  confirmations,
  handOvers,
  invitationPages,
  invitationTypes,
  ownCampaigns,
  partnerAccessTokens,
  partnerCampaigns,
  partnerInvitations,
  partners,
  registrations,
} from './resources.ts'
import { UnsubscriptionStore } from './unsubscriptions/store.ts'
import { Unsubscribing } from './unsubscriptions/unsubscribing.ts'

const CLAIM_MS = 300_000
const CONFIRMATION_WAIT_MS = 600_000
/** In all a day and a few minutes. */
const RETRY_DELAYS = '60,300,900,3600,10800,21600,50400'

/** The settings of the partners service. */
export const settings = {
  ...encryptionSettings,
  ...linkSettings,
  mail_retry_delays: text({
    default: RETRY_DELAYS,
    pattern: '^\\d+(\\.\\d+)?(,\\d+(\\.\\d+)?)*$',
    description:
      'Seconds until each further attempt to hand over an e-mail which the mail server did not take; after the last it is given up',
  }),
  mail_claim_ms: integer({
    default: CLAIM_MS,
    minimum: 1_000,
    description: 'How long a process of the mail service may take for a turn, of 20 e-mails; then it is taken for dead',
  }),
  confirmation_wait_ms: integer({
    default: CONFIRMATION_WAIT_MS,
    minimum: 0,
    description:
      'How long the e-mail which confirms a registration waits for QR code and badge; then it is sent without',
  }),
}

/** The settings as read. */
export interface PartnersConfig extends EncryptionConfig, LinkConfig {
  mail_retry_delays?: string
  mail_claim_ms?: number
  confirmation_wait_ms?: number
}

/** The partners service: partners, invitation types, campaigns, their access tokens, and the invitations which partners send. */
export function start(config: PartnersConfig): Promise<Running> {
  return startService('partners', config, async ({ bus, store, retries, domain, log }) => {
    const partnerStore = new PartnerStore(store.db)
    const typeStore = new InvitationTypeStore(store.db)
    const campaignStore = new PartnerCampaignStore(store.db)
    const tokenStore = new PartnerAccessTokenStore(store.db)
    const invitationStore = new InvitationStore(store.db)
    const blockedStore = new BlockedRecipientStore(store.db)
    const usageStore = new UsageStore(store.db)
    const stores = {
      partners: partnerStore,
      types: typeStore,
      campaigns: campaignStore,
      tokens: tokenStore,
      invitations: invitationStore,
    }
    const formerRecipients = new FormerRecipientStore(store.db)
    await Promise.all([...Object.values(stores), blockedStore, usageStore].map((each) => each.prepare()))
    const settlement = new Settlement({ ...stores, formerRecipients }, new CampaignCodes(bus), log)
    const turns = new TurnQueue(bus)
    const offer = turns.offer.bind(turns)
    const acceptance = new Acceptance(invitationStore, usageStore)
    const claims = new Claims(invitationStore, usageStore)
    const unsubscriptions = new UnsubscriptionStore(store.db)
    const unsubscribing = new Unsubscribing(invitationStore, unsubscriptions, usageStore)
    const links = new InvitationLinks(config)
    const guestClient = clientOf(bus, guests)
    const answerStore = new AnswerStore(store.db)
    const confirmationStore = new ConfirmationStore(store.db)
    await Promise.all([answerStore.prepare(), confirmationStore.prepare()])
    const recover = async ({ items }: OutboxEntry) =>
      (await Promise.all(items.map(({ _id }) => invitationStore.get(_id)))).flatMap(waiting)
    const outbox = new Outbox({ db: store.db, domain, log, recover, schema: invitation })
    await outbox.prepare()
    const terms = new RegistrationTerms(bus)
    const delays = (config.mail_retry_delays ?? RETRY_DELAYS).split(',').map((seconds) => Number(seconds) * 1_000)
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
      partnerCampaigns,
      partnerCampaignHandlers(campaignStore, partnerStore, typeStore, settlement, bus),
      { retries },
    )
    serveResource(bus, partnerAccessTokens, partnerAccessTokenHandlers(tokenStore, partnerStore, campaignStore), {
      retries,
    })
    serveResource(
      bus,
      partnerInvitations,
      invitationHandlers({
        invitations: invitationStore,
        campaigns: campaignStore,
        tokens: tokenStore,
        acceptance,
        retries,
        queued: (partner) => void offer(partner),
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
        usageStore,
        claims,
        mails: new InvitationMails(typeStore, links, bus),
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
    const upkeep = new Upkeep({
      invitations: invitationStore,
      usageStore,
      acceptance,
      claims,
      unsubscribing,
      answerStore,
      answers,
      claimMs: config.mail_claim_ms ?? CLAIM_MS,
      offer,
      log,
    })
    const sweeping = settlement.keepSweeping()
    outbox.start()
    return {
      drain: async () => {
        await upkeep.stop()
        await outbox.stop()
      },
      stop: () => sweeping.stop(),
    }
  })
}
