import type { DrillClient } from '../client.ts'
import { make } from '../drill-event.ts'
import { inEvent } from '../scanning.ts'

/** A campaign of a partner, with the recipients whom the partner is going to invite. */
export interface InvitingCampaign {
  name: string
  id: string
  type: string
  /** The category of those who accept. */
  category?: string | undefined
  partner: string
  token: string
  quota: number
  recipients: string[]
}

/** A partner; -1 is no quota. */
export interface InvitingPartner {
  id: string
  quota: number
  campaigns: InvitingCampaign[]
}

/** The campaigns of all partners. */
export function campaignsOf({ partners }: MailDrillEvent): InvitingCampaign[] {
  return partners.flatMap(({ campaigns }) => campaigns)
}

/** The event of a drill, and a campaign whose recipients are invited after each fault. */
export interface MailDrillEvent {
  partners: InvitingPartner[]
  probe: InvitingCampaign
}

const PARTNERS = 8
/** Campaigns of a partner. */
const CAMPAIGNS = 2
/** How many times as many recipients are invited as are to be accepted. */
const MORE = 1.25
/** One recipient of this many is invited by all campaigns. */
const SHARED_OF = 20
/** The quotas, as shares of the recipients: of campaigns, and of partners. */
const CAMPAIGN_QUOTAS = [0.9, 2]
const PARTNER_QUOTAS = [undefined, 0.85]

/** Creates partners and campaigns of the event, with room for at least `recipients`. Those who accept become guests of one of the categories. */
export async function makeCampaigns(
  client: DrillClient,
  recipients: number,
  ...categories: string[]
): Promise<MailDrillEvent> {
  const types = await Promise.all(
    Array.from({ length: CAMPAIGNS }, async (_, n) => {
      const category = categories[n % categories.length]
      const fields = { name: `Evening ${n}`, guest_category_id: category }
      return { type: await make(client, 'invitation_types', fields), category }
    }),
  )
  const each = Math.ceil((recipients * MORE) / (PARTNERS * CAMPAIGNS))
  const partners = await Promise.all(
    Array.from({ length: PARTNERS }, async (_, n): Promise<InvitingPartner> => {
      const share = PARTNER_QUOTAS[n % PARTNER_QUOTAS.length]
      const quota = share === undefined ? -1 : Math.round(share * each * CAMPAIGNS)
      const id = await make(client, 'partners', { name: `Partner ${n}`, recipients_quota: quota })
      const campaigns = await Promise.all(
        types.map((type, index) => {
          const shareOfCampaign = CAMPAIGN_QUOTAS[(n + index) % CAMPAIGN_QUOTAS.length] as number
          const name = `campaign-${n}-${index}`
          return makeCampaign(client, { ...type, name, partner: id, quota: Math.round(shareOfCampaign * each) }, each)
        }),
      )
      return { id, quota, campaigns }
    }),
  )
  const { type } = types[0] as { type: string }
  return { partners, probe: await makeProbe(client, type) }
}

/** Creates the campaign of an invitation type whose recipients are invited after each fault. */
export async function makeProbe(client: DrillClient, type: string): Promise<InvitingCampaign> {
  const partner = await make(client, 'partners', { name: 'Probe' })
  return makeCampaign(client, { name: 'probe', type, partner, quota: 1_000_000 }, 0)
}

async function makeCampaign(
  client: DrillClient,
  { name, type, category, partner, quota }: Pick<InvitingCampaign, 'name' | 'type' | 'category' | 'partner' | 'quota'>,
  count: number,
): Promise<InvitingCampaign> {
  const id = await make(client, `invitation_types/${type}/partner_campaigns`, { partner_id: partner, quota })
  const tokens = inEvent(`partners/${partner}/partner_campaigns/${id}/partner_access_tokens.json`)
  const { token } = await client.insist('POST', tokens, {}, crypto.randomUUID())
  const recipients = Array.from({ length: count }, (_, n) =>
    n % SHARED_OF === 0 ? `shared-${n}@example.org` : `${name}-${n}@example.org`,
  )
  return { name, id, type, category, partner, token, quota, recipients }
}
