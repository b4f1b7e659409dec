import { normalized } from '@gatehouse/proto/declaring/addresses.ts'
import { Fault, type FieldErrors } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import { alsoWrong, type Call, type Handlers, isRejected, type Rejected } from '@gatehouse/proto/declaring/resource.ts'
import type { IdempotencyStore } from '@gatehouse/proto/serving/idempotency.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import { authenticatePartner } from '../../campaigns/partner-access-tokens/authenticate.ts'
import type { PartnerAccessTokenStore } from '../../campaigns/partner-access-tokens/store.ts'
import type { PartnerCampaignStore, StoredCampaign } from '../../campaigns/partner-campaigns/store.ts'
import { leftOf, type UsageStore, usageOf } from '../../campaigns/partners/usage-store.ts'
import type { Acceptance } from './acceptance.ts'
import type { Addressed } from './places.ts'
import type { ownCampaigns, PartnerInvitation, partnerInvitations } from './resource.ts'
import { shown, shownToOrganizer } from './shown.ts'
import type { InvitationStore, StoredInvitation } from './store.ts'

const NOT_AN_ADDRESS = { email: [messageOf('invalid')] }
const USED_UP = { quota: [messageOf('quota_exceeded')] }
/** The longest submission; one that takes longer does no harm, since a recipient is accepted only once. */
const MAX_MS = 20_000

type InvitationBatch = Call<(typeof partnerInvitations)['actions']['batch_create']>

interface InvitationHandlerOptions {
  invitations: InvitationStore
  campaigns: PartnerCampaignStore
  tokens: PartnerAccessTokenStore
  acceptance: Acceptance
  retries: IdempotencyStore
  /** Called when a partner has new invitations. */
  queued(partner: { _id: string; event_id: string }): void
}

/**
 * Accepts recipients with different addresses into a campaign, and lets their e-mails go. Returns the invitations by address; those beyond a
 * quota are missing. Throws `unauthorized` if the campaign was deleted meanwhile.
 */
export async function acceptAll(
  { acceptance, campaigns, queued }: Pick<InvitationHandlerOptions, 'acceptance' | 'campaigns' | 'queued'>,
  campaign: StoredCampaign,
  recipients: Addressed[],
): Promise<Map<string, StoredInvitation>> {
  const accepted = await acceptance.accept(campaign, recipients)
  // The campaign's deletion may have come before these were stored; then nobody sees them, and none is sent.
  if (!(await campaigns.get(campaign.event_id, campaign._id))) throw new Fault('unauthorized')
  if (accepted.size > 0) queued({ _id: campaign.partner_id, event_id: campaign.event_id })
  return accepted
}

/** Handlers of partners' invitations. */
export function invitationHandlers(options: InvitationHandlerOptions): Handlers<typeof partnerInvitations> {
  const { invitations, campaigns, tokens, retries } = options

  /** The invitation of each item, or why there is none. */
  async function submit(
    campaign: StoredCampaign,
    items: InvitationBatch['body'],
  ): Promise<(PartnerInvitation | Rejected)[]> {
    const fresh = new Map<string, Addressed>()
    for (const item of items) {
      if (isRejected(item)) continue
      const address = normalized(item.email)
      if (address !== undefined && !fresh.has(address)) fresh.set(address, { address, recipient: item })
    }
    const accepted = await acceptAll(options, campaign, [...fresh.values()])
    return items.map((item) => {
      if (isRejected(item)) return alsoWrong(item, addressErrors(item.given?.email))
      const address = normalized(item.email)
      if (address === undefined) return { errors: NOT_AN_ADDRESS }
      const invitation = accepted.get(address)
      return invitation ? shown(invitation) : { errors: USED_UP }
    })
  }

  return {
    async list({ params: { event_id, invitation_type_id, partner_campaign_id }, query }) {
      const campaign = found(await campaigns.get(event_id, partner_campaign_id))
      if (campaign.invitation_type_id !== invitation_type_id) throw new Fault('not_found')
      return (await invitations.page(campaign, query)).decoded().map(shownToOrganizer)
    },

    async list_own({ params, query }) {
      const campaign = await authenticatePartner(tokens, campaigns, params.partner_access_token)
      return (await invitations.page(campaign, query)).decoded().map(shown)
    },

    async batch_create(call) {
      const { params, body, idempotency_key } = call
      const campaign = await authenticatePartner(tokens, campaigns, params.partner_access_token)
      if (!idempotency_key) return submit(campaign, body)
      // After authentication, since a revoked token must not get even an earlier answer; by campaign, since its other tokens may.
      const asked = Buffer.from(JSON.stringify(body))
      const meta = { idempotency_key, budget: MAX_MS }
      const subject = 'partners.partner_invitations.batch_create'
      const reply = await retries.once(subject, campaign._id, meta, asked, async () => ({
        body: Buffer.from(JSON.stringify(await submit(campaign, body))),
      }))
      call.replayed = reply.replayed ?? false
      return JSON.parse(Buffer.from(reply.body).toString()) as (PartnerInvitation | Rejected)[]
    },
  }
}

/** Handlers of a partner's view of its campaign. */
export function ownCampaignHandlers(
  tokens: PartnerAccessTokenStore,
  campaigns: PartnerCampaignStore,
  usageStore: UsageStore,
): Handlers<typeof ownCampaigns> {
  return {
    async read({ params }) {
      const campaign = await authenticatePartner(tokens, campaigns, params.partner_access_token)
      const partner = await usageStore.get({ _id: campaign.partner_id, event_id: campaign.event_id })
      if (!partner) throw new Fault('unauthorized')
      const usage = usageOf(partner, campaign._id)
      return { ...campaign, ...usage, used: usage.reserved, left: leftOf(partner, campaign) }
    },
  }
}

function addressErrors(email: string | undefined): FieldErrors {
  return email !== undefined && normalized(email) === undefined ? NOT_AN_ADDRESS : {}
}
