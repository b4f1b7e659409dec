import { invalid, notFound } from '@gatehouse/proto/faults.ts'
import { isDuplicate } from '@gatehouse/proto/mongo.ts'
import type { Handlers } from '@gatehouse/proto/resource.ts'
import { checkCode } from '../partner-campaigns/codes.ts'
import type { Settlement } from '../partner-campaigns/settlement.ts'
import type { PartnerCampaignStore, StoredCampaign } from '../partner-campaigns/store.ts'
import { type Counter, noneYet, type Partner, type partners } from './resource.ts'
import { ADDRESSES, NAMES, type PartnerFields, type PartnerStore, type StoredPartner } from './store.ts'

/** What partners do and refuse. */
export function partnerHandlers(
  store: PartnerStore,
  campaigns: PartnerCampaignStore,
  settlement: Settlement,
): Handlers<typeof partners> {
  const withCampaigns = async (partner: StoredPartner): Promise<Partner> =>
    shown(partner, await campaigns.ofPartner(partner.event_id, partner._id))

  return {
    async list({ params: { event_id } }) {
      const [partners, all] = await Promise.all([store.ofEvent(event_id), campaigns.ofEvent(event_id)])
      const byPartner = Map.groupBy(all, ({ partner_id }) => partner_id)
      return partners.map((partner) => shown(partner, byPartner.get(partner._id) ?? []))
    },

    async read({ params }) {
      return withCampaigns(found(await store.get(params.event_id, params.id)))
    },

    async create({ params: { event_id }, body, newId }) {
      const now = new Date()
      const fields = { ...body, ...cleaned(body) }
      const partner = await store
        .insert({ _id: newId(), ...fields, ...noneYet, event_id, created_at: now, updated_at: now })
        .catch(refuseTaken)
      return shown(partner, [])
    },

    async update({ params: { event_id, id }, body }) {
      const { _id, name } = found(await store.get(event_id, id))
      const changes = { ...body, ...cleaned(body) }
      if (changes.name === name) delete changes.name
      const partner = found(await store.update(event_id, _id, changes).catch(refuseTaken))
      if (changes.name !== undefined) await settlement.rename(partner)
      return () => withCampaigns(partner)
    },

    async delete({ params: { event_id, id }, caller }) {
      const current = await store.get(event_id, id)
      const attached = current ? await campaigns.ofPartner(event_id, current._id) : []
      for (const campaign of attached) checkCode(caller, campaign)
      const deleted = found(await store.markDeleted(event_id, id))
      await settlement.remove(deleted)
      return shown(current ?? deleted, attached)
    },
  }
}

/** A name without blanks around it; a blank uid is none. */
function cleaned({ name, uid }: Partial<PartnerFields>): Partial<PartnerFields> {
  return {
    ...(name !== undefined && { name: name.trim() }),
    ...(uid !== undefined && { uid: uid?.trim() ? uid : null }),
  }
}

function found(partner: StoredPartner | null): StoredPartner {
  if (!partner) throw notFound()
  return partner
}

function refuseTaken(error: unknown): never {
  if (isDuplicate(error, NAMES)) throw invalid({ name: ['has already been taken'] })
  if (isDuplicate(error, ADDRESSES)) throw invalid({ uid: ['has already been taken'] })
  throw error
}

function shown(partner: StoredPartner, partner_campaigns: StoredCampaign[]): Partner {
  const share = (counter: Counter): number =>
    partner.nb_recipients_email_sent > 0 ? Math.min(1, partner[counter] / partner.nb_recipients_email_sent) : 0
  return {
    ...partner,
    blacklisted_percentage: share('blacklisted_recipients'),
    bounced_percentage: share('bounced_recipients'),
    rejected_percentage: share('rejected_recipients'),
    spammed_percentage: share('spammed_recipients'),
    unsubscribed_percentage: share('unsubscribed_recipients'),
    partner_campaigns,
  }
}
