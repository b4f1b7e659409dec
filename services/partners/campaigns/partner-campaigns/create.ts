import { conflict, type FieldErrors, invalid } from '@gatehouse/proto/declaring/faults.ts'
import { isBlank } from '@gatehouse/proto/declaring/fields.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import type { Body, Call } from '@gatehouse/proto/declaring/resource.ts'
import { found, newTimes } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../../dependencies.ts'
import { checkCode } from './codes.ts'
import { completeCampaign, isRefusal, NO_PARTNER, removeCampaign } from './reconciliation.ts'
import type { PartnerCampaign, partnerCampaigns } from './resource.ts'
import { nothingYet, type StoredCampaign, sortName, type WantedCode } from './store.ts'

const TAKEN = { partner_id: [messageOf('taken')] }
const NO_TEXT = { platform_promo_code_text: [messageOf('blank')] }
/** Campaigns of other requests, withdrawn since, that may be in the way of one creation. */
const TRIES = 20

type Create = (typeof partnerCampaigns)['actions']['create']

/** Attaches a partner to an invitation type; a retry finds the campaign that its first try created. */
export async function create(dependencies: Dependencies, call: Call<Create>): Promise<PartnerCampaign> {
  const { types, campaigns } = dependencies
  const { params, caller } = call
  found(await types.get(params.event_id, params.invitation_type_id))
  const campaign = await newCampaign(dependencies, call)
  checkCode(caller, campaign)
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const holder = await campaigns.insert(campaign)
    if (holder?._id === campaign._id) {
      if (holder.settled) return holder
      if (!holder.gone) return completeCampaign(dependencies, holder)
      // The withdrawal of an earlier try was interrupted.
      await removeCampaign(dependencies, holder)
    } else if (holder && (await isTaken(dependencies, holder))) throw invalid(TAKEN)
  }
  throw conflict(messageOf('too_many_changes', { thing: 'partner campaign' }))
}

/** A new campaign, not yet visible. */
async function newCampaign(
  { partners, campaigns, eventClient }: Dependencies,
  { params: { event_id, invitation_type_id }, body: given, accept, newId }: Call<Create>,
): Promise<StoredCampaign> {
  const _id = newId()
  const [partner, terms] = await Promise.all([
    given.partner_id === undefined ? null : partners.get(event_id, given.partner_id),
    eventClient.campaign_terms({ body: { event_id } }),
  ])
  const { platform_event_id } = terms
  const errors: FieldErrors = platform_event_id !== null && lacksText(given) ? NO_TEXT : {}
  const body = await accept(partner ? errors : { ...errors, ...NO_PARTNER }, async () => {
    const attached = partner ? await campaigns.ofPartner(event_id, partner._id) : []
    const isOther = (each: StoredCampaign) => each.invitation_type_id === invitation_type_id && each._id !== _id
    return attached.some(isOther) ? TAKEN : {}
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
async function isTaken(dependencies: Dependencies, campaign: StoredCampaign): Promise<boolean> {
  if (campaign.settled) return true
  try {
    await completeCampaign(dependencies, campaign)
    return true
  } catch (error) {
    if (isRefusal(error)) return false
    throw error
  }
}

/** The discount code that a request asks for; undefined if it asks for none. */
function wantedCode(event_id: string, body: Body<Create>): WantedCode | undefined {
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
function lacksText(given: Partial<Body<Create>>): boolean {
  const { platform_promo_code_text: text } = given
  const { platform_promo_code_amount: amount, platform_promo_code_max_usage: max_usage } = given
  const terms = [amount, given.platform_promo_code_percentage_of_total, max_usage]
  return text !== undefined && isBlank(text) && terms.some((each) => each !== null)
}
