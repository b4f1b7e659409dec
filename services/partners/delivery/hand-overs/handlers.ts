import type { Handlers } from '@gatehouse/proto/declaring/resource.ts'
import { isErased } from '@gatehouse/proto/privacy/blanking.ts'
import { instruments } from '@gatehouse/proto/telemetry/metrics.ts'
import { ObjectId } from 'mongodb'
import type { PartnerCampaignStore, StoredCampaign } from '../../campaigns/partner-campaigns/store.ts'
import type { StoredPartner } from '../../campaigns/partners/store.ts'
import type { ClaimNote } from '../../campaigns/partners/usage.ts'
import type { PartnerKey, UsageStore } from '../../campaigns/partners/usage-store.ts'
import type { HandOverOutcome, InvitationStore, StoredInvitation } from '../invitations/store.ts'
import type { Pausing } from '../pausing/pausing.ts'
import { type Refusal, type Refusing, refusalsOf } from '../refusals.ts'
import type { Claims } from './claims.ts'
import type { InvitationMails } from './mails.ts'
import type { HandOver, handOvers, InvitationMail } from './resource.ts'
import { TURN } from './turns.ts'

/** Why an invitation is blocked whose recipient's data was erased before its turn came. */
const ERASED = 'The data of the recipient was erased'
/** The reasons of other invitations that are blocked. Whoever has unsubscribed did so from another one. */
const REASONS: Record<Refusal, string | null> = {
  blocked: null,
  unsubscribed: 'The recipient has unsubscribed',
  bounced: 'An e-mail to the address came back',
  complained: 'The recipient has complained of an e-mail',
}

interface HandOverHandlerOptions extends Refusing {
  invitations: InvitationStore
  campaigns: PartnerCampaignStore
  pausing: Pausing
  usageStore: UsageStore
  claims: Claims
  mails: InvitationMails
  /** How long a claim holds, in ms. */
  claimMs: number
  /** The time until each further attempt, in ms; after the last one an invitation is given up. */
  delays: number[]
  /** Puts a partner's turn in the queue. */
  offer(partner: PartnerKey): Promise<void>
}

/** Handlers of hand-overs. docs/invitations.md shows the states that an invitation goes through. */
export function handOverHandlers(options: HandOverHandlerOptions): Handlers<typeof handOvers> {
  const { invitations, campaigns, pausing, usageStore, claims, mails, delays } = options

  /** The campaigns of invitations that exist. */
  async function campaignsOf(event_id: string, of: StoredInvitation[]): Promise<Map<string, StoredCampaign>> {
    const ids = [...new Set(of.map(({ partner_campaign_id }) => partner_campaign_id))]
    const found = await Promise.all(ids.map((id) => campaigns.get(event_id, id)))
    return new Map(found.flatMap((campaign) => (campaign ? [[campaign._id, campaign]] : [])))
  }

  /** Stores outcomes of a claim. Returns how many invitations are sent now. */
  async function note(event_id: string, claim: string, given: HandOver[]): Promise<number> {
    const ids = (wanted: HandOver['outcome']) => given.flatMap(({ _id, outcome }) => (outcome === wanted ? [_id] : []))
    const rest = given.filter(({ outcome }) => outcome !== 'sent')
    const known = rest.length > 0 ? await invitations.ofClaim(event_id, claim, ids('later')) : []
    const postponed = new Map(known.map((each) => [each._id, each.postponed]))
    const [sent] = await Promise.all([
      invitations.end(event_id, claim, ids('sent'), 'sent', null),
      ...rest.map(({ _id, outcome, reason }) => {
        if (outcome !== 'later') return invitations.end(event_id, claim, [_id], outcome as 'unknown', reason)
        const delay = delays[postponed.get(_id) ?? 0]
        if (delay === undefined) return invitations.end(event_id, claim, [_id], 'rejected', reason)
        instruments.retries.add(1, { kind: 'mail' })
        return invitations.postpone(event_id, claim, _id, new Date(Date.now() + delay), reason)
      }),
    ])
    return sent
  }

  /**
   * Begins hand-overs of a claim, and returns the `_id`s of those that may go on. What must not be sent is noted first as begun. One begins once:
   * a worker whose answer was late asks again, and of two answers neither may hold or end what the other has given.
   */
  async function begin(partner: PartnerKey, claim: string, ids: string[]): Promise<string[]> {
    const { event_id } = partner
    const noted = await usageStore.noteBegun(partner, claim, ids)
    if (!noted || noted.fresh.length === 0) return []
    const begun = (await invitations.ofClaim(event_id, claim, noted.fresh)).filter(({ step }) => step === 'claimed')
    const addresses = begun.map(({ address }) => address)
    // After it is stored that they begin: so whatever was changed and answered before is seen.
    const [existing, refusals] = await Promise.all([
      campaignsOf(event_id, begun),
      refusalsOf(options, event_id, addresses),
    ])
    const paused = await pausing.paused(noted.partner, [...existing.values()])
    const endOf = ({ address, ...each }: StoredInvitation): [HandOverOutcome, string | null] | undefined => {
      // An earlier attempt was taken after all: something came back.
      if (each.handed_over !== undefined) return ['sent', null]
      if (!existing.has(each.partner_campaign_id) || each.state === 'unsubscribed') return ['cancelled', null]
      if (isErased(address)) return ['blocked', ERASED]
      const refusal = refusals.get(address)
      return refusal && ['blocked', REASONS[refusal]]
    }
    const ends = new Map(begun.map((each) => [each._id, endOf(each)]))
    const going = begun.filter(({ _id }) => !ends.get(_id))
    const isPaused = ({ partner_campaign_id }: StoredInvitation) => paused.has(partner_campaign_id)
    await Promise.all([
      ...Array.from(ends, ([_id, end]) => end && invitations.end(event_id, claim, [_id], ...end)),
      pausing.hold(event_id, claim, going.filter(isPaused)),
    ])
    return going.flatMap((each) => (isPaused(each) ? [] : [each._id]))
  }

  /** The e-mails of claimed invitations. Those whose campaigns are gone are cancelled, and those of paused ones wait. */
  async function mailsOf(
    partner: StoredPartner,
    claim: string,
    claimed: StoredInvitation[],
  ): Promise<InvitationMail[]> {
    const { event_id } = partner
    const existing = await campaignsOf(event_id, claimed)
    const gone = claimed.filter(({ partner_campaign_id }) => !existing.has(partner_campaign_id))
    const isPaused = ({ partner_campaign_id }: StoredInvitation) =>
      Boolean(existing.get(partner_campaign_id)?.paused_at)
    const goneIds = gone.map(({ _id }) => _id)
    await invitations.end(event_id, claim, goneIds, 'cancelled', null)
    await pausing.hold(event_id, claim, claimed.filter(isPaused))
    const sendable = claimed.flatMap((invitation) => {
      const campaign = existing.get(invitation.partner_campaign_id)
      return campaign && !campaign.paused_at ? [{ invitation, campaign }] : []
    })
    return mails.of(partner, sendable)
  }

  return {
    async claim({ body: { event_id, partner_id } }) {
      const key = { _id: partner_id, event_id }
      const due = await invitations.due(event_id, partner_id, TURN)
      if (due.length === 0) return { mails: [] }
      const claim = new ObjectId().toHexString()
      const ids = due.map(({ _id }) => _id)
      const campaign_ids = [...new Set(due.map(({ partner_campaign_id }) => partner_campaign_id))]
      const note: ClaimNote = { kind: 'claim', id: claim, ids, campaign_ids, begun: [], at: new Date() }
      const partner = await usageStore.noteClaim(key, note)
      if (!partner) return { mails: [] }
      try {
        // Another process ends the claim after its time: nobody would end what it claims later.
        const isLate = () => Date.now() - note.at.getTime() > options.claimMs / 2
        const claimed = isLate() ? [] : await invitations.claim(event_id, claim, due)
        const made = isLate() ? [] : await mailsOf(partner, claim, claimed)
        if (made.length > 0) return { claim, mails: made }
      } catch (error) {
        await claims.end(key, note)
        throw error
      }
      await claims.end(key, note)
      return { mails: [] }
    },

    async progress({ body: { event_id, partner_id, claim, outcomes, begin: ids, hold = [] } }) {
      const key = { _id: partner_id, event_id }
      const sent = await note(event_id, claim, outcomes)
      await invitations.hold(event_id, claim, hold)
      if (ids.length > 0) return { ids: await begin(key, claim, ids) }
      await claims.endNoted(key, claim, sent)
      return { ids: [] }
    },

    async renew({ body: { event_id, partner_id } }) {
      const key = { _id: partner_id, event_id }
      const [partner, due] = await Promise.all([usageStore.get(key), invitations.due(event_id, partner_id, 1)])
      // Otherwise the turns of a partner who may not send would follow each other without end.
      if (partner && !partner.disable_emails && due.length > 0) await options.offer(key)
      return {}
    },
  }
}
