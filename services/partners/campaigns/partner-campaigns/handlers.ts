import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { conflict, type FieldErrors, invalid, notFound } from '@gatehouse/proto/declaring/faults.ts'
import { isBlank } from '@gatehouse/proto/declaring/fields.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import type { Body, Call, Handlers } from '@gatehouse/proto/declaring/resource.ts'
import { found, newTimes } from '@gatehouse/proto/storage/documents.ts'
import type { InvitationTypeStore } from '../../delivery/invitation-types/store.ts'
import type { Pausing } from '../../delivery/pausing/pausing.ts'
import { events } from '../../permissions.ts'
import type { PartnerStore } from '../partners/store.ts'
import { counted } from '../partners/usage-store.ts'
import { checkCode } from './codes.ts'
import type { partnerCampaigns } from './resource.ts'
import { isRefusal, NO_PARTNER, type Settlement } from './settlement.ts'
import { nothingYet, type PartnerCampaignStore, type StoredCampaign, sortName, type WantedCode } from './store.ts'

const TAKEN = { partner_id: [messageOf('taken')] }
const NO_TEXT = { platform_promo_code_text: [messageOf('blank')] }
/** Campaigns of other requests, withdrawn since, which may be in the way of one creation. */
const CREATE_TRIES = 20

type Creation = Call<(typeof partnerCampaigns)['actions']['create']>
type CampaignBody = Body<(typeof partnerCampaigns)['actions']['create']>

/** Handlers of partner campaigns. */
export function partnerCampaignHandlers(
  store: PartnerCampaignStore,
  partners: PartnerStore,
  types: InvitationTypeStore,
  settlement: Settlement,
  pausing: Pausing,
  bus: Bus,
): Handlers<typeof partnerCampaigns> {
  const eventClient = clientOf(bus, events)

  /** A new campaign, before it is settled. */
  async function newCampaign(
    _id: string,
    { event_id, invitation_type_id }: { event_id: string; invitation_type_id: string },
    { body: given, accept }: Creation,
  ): Promise<StoredCampaign> {
    const [partner, terms] = await Promise.all([
      given.partner_id === undefined ? null : partners.get(event_id, given.partner_id),
      eventClient.campaign_terms({ body: { event_id } }),
    ])
    const { platform_event_id } = terms
    const errors: FieldErrors = platform_event_id !== null && lacksText(given) ? NO_TEXT : {}
    const body = await accept(partner ? errors : { ...errors, ...NO_PARTNER }, async () => {
      const campaigns = partner ? await store.ofPartner(event_id, partner._id) : []
      const isOther = (each: StoredCampaign) => each.invitation_type_id === invitation_type_id && each._id !== _id
      return campaigns.some(isOther) ? TAKEN : {}
    })
    if (!partner) throw invalid(NO_PARTNER)
    const wanted_code = platform_event_id === null ? undefined : wantedCode(platform_event_id, body)
    return {
      _id,
      event_id,
      invitation_type_id,
      partner_id: partner._id,
      quota: body.quota,
      ...nothingYet,
      reply_to: terms.reply_to_email,
      ...newTimes(),
      sort_name: sortName(partner.name),
      name_version: partner.name_version,
      ...(wanted_code && { wanted_code }),
      settled: false,
      gone: false,
    }
  }

  /** Whether another request's campaign, whose creation may have been interrupted, keeps its place. */
  async function isTaken(campaign: StoredCampaign): Promise<boolean> {
    if (campaign.settled) return true
    try {
      await settlement.complete(campaign)
      return true
    } catch (error) {
      if (isRefusal(error)) return false
      throw error
    }
  }

  return {
    async list({ params: { event_id, invitation_type_id }, query }) {
      found(await types.get(event_id, invitation_type_id))
      await settlement.ofEvent(event_id)
      const campaigns = await store.page(event_id, invitation_type_id, query)
      const owners = await partners.withIds(event_id, [...new Set(campaigns.map(({ partner_id }) => partner_id))])
      const byId = new Map(owners.map((partner) => [partner._id, partner]))
      return campaigns.map((campaign) => counted(campaign, byId.get(campaign.partner_id)))
    },

    async create(call) {
      const { params, caller, newId } = call
      found(await types.get(params.event_id, params.invitation_type_id))
      const campaign = await newCampaign(newId(), params, call)
      checkCode(caller, campaign)
      for (let attempt = 0; attempt < CREATE_TRIES; attempt++) {
        const holder = await store.insert(campaign)
        if (holder?._id === campaign._id) {
          if (holder.settled) return holder
          if (!holder.gone) return settlement.complete(holder)
          // The withdrawal of an earlier try was interrupted.
          await settlement.end(holder)
        } else if (holder && (await isTaken(holder))) throw invalid(TAKEN)
      }
      throw conflict(messageOf('too_many_changes', { thing: 'partner campaign' }))
    },

    async resume({ params: { event_id, invitation_type_id, id } }) {
      const campaign = found(await store.get(event_id, id))
      if (campaign.invitation_type_id !== invitation_type_id) throw notFound()
      const resumed = found(await pausing.resume(campaign))
      return counted(resumed, (await partners.get(event_id, campaign.partner_id)) ?? undefined)
    },

    async delete({ params: { event_id, invitation_type_id, id }, caller }) {
      const current = await store.find({ event_id, _id: id })
      if (current) checkCode(caller, current)
      const campaign = found(await store.markGone(event_id, invitation_type_id, id))
      const partner = await partners.get(event_id, campaign.partner_id)
      await settlement.end(campaign)
      return counted(campaign, partner ?? undefined)
    },
  }
}

/** The discount code that a request asks for; undefined if it asks for none. */
function wantedCode(event_id: string, body: CampaignBody): WantedCode | undefined {
  const text = body.platform_promo_code_text
  if (isBlank(text)) return undefined
  return {
    event_id,
    text,
    amount: body.platform_promo_code_amount ?? 0,
    percentage_of_total: body.platform_promo_code_percentage_of_total ?? false,
    max_usage: body.platform_promo_code_max_usage ?? -1,
  }
}

/** Whether a request asks for a discount code without text. A text that the schema refused is not missing. */
function lacksText(given: Partial<CampaignBody>): boolean {
  const { platform_promo_code_text: text } = given
  const { platform_promo_code_amount: amount, platform_promo_code_max_usage: max_usage } = given
  const terms = [amount, given.platform_promo_code_percentage_of_total, max_usage]
  return text !== undefined && isBlank(text) && terms.some((each) => each !== null)
}
