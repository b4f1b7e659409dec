import { type FieldErrors, invalid } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import type { Handlers } from '@gatehouse/proto/declaring/resource.ts'
import { found, newTimes } from '@gatehouse/proto/storage/documents.ts'
import { isDuplicate } from '@gatehouse/proto/storage/mongo.ts'
import { checkCode } from '../partner-campaigns/codes.ts'
import type { Settlement } from '../partner-campaigns/settlement.ts'
import type { PartnerCampaignStore, StoredCampaign } from '../partner-campaigns/store.ts'
import { type CounterName, noneYet, type Partner, type partners } from './resource.ts'
import { ADDRESSES, NAMES, type PartnerFields, type PartnerStore, type StoredPartner } from './store.ts'
import { counted } from './usage-store.ts'

const NAME_TAKEN = { name: [messageOf('taken')] }
const UID_TAKEN = { uid: [messageOf('taken')] }

/** Handlers of partners. */
export function partnerHandlers(
  store: PartnerStore,
  campaigns: PartnerCampaignStore,
  settlement: Settlement,
): Handlers<typeof partners> {
  const withCampaigns = async (partner: StoredPartner): Promise<Partner> =>
    shown(partner, await campaigns.ofPartner(partner.event_id, partner._id))

  /** The errors for a name and a uid that partners other than `_id` have. */
  async function taken(event_id: string, given: Partial<PartnerFields>, _id: string): Promise<FieldErrors> {
    const { name, uid } = cleaned(given)
    const [named, addressed] = await Promise.all([
      name === undefined ? null : store.named(event_id, name),
      uid ? store.get(event_id, uid) : null,
    ])
    const isOther = (partner: StoredPartner | null) => partner !== null && partner._id !== _id
    return { ...(isOther(named) && NAME_TAKEN), ...(isOther(addressed) && UID_TAKEN) }
  }

  /** Waits for a write. If a unique index refuses it, throws `invalid` for the name, the uid or both. */
  const unlessTaken = <T>(write: Promise<T>, ...partner: Parameters<typeof taken>): Promise<T> =>
    write.catch(async (error) => {
      if (isDuplicate(error, NAMES)) throw invalid({ ...(await taken(...partner)), ...NAME_TAKEN })
      if (isDuplicate(error, ADDRESSES)) throw invalid({ ...(await taken(...partner)), ...UID_TAKEN })
      throw error
    })

  return {
    async list({ params: { event_id } }) {
      const [partners, all] = await Promise.all([store.ofEvent(event_id), campaigns.ofEvent(event_id)])
      const byPartner = Map.groupBy(all, ({ partner_id }) => partner_id)
      return partners.map((partner) => shown(partner, byPartner.get(partner._id) ?? []))
    },

    read: async ({ params }) => withCampaigns(found(await store.get(params.event_id, params.id))),

    async create({ params: { event_id }, body: given, accept, newId }) {
      const _id = newId()
      const times = newTimes()
      const body = await accept({}, () => taken(event_id, given, _id))
      const fields = { ...body, ...cleaned(body) }
      const made = store.insert({ _id, ...fields, ...noneYet, event_id, ...times })
      const partner = await unlessTaken(made, event_id, fields, _id)
      return shown(partner, [])
    },

    async update({ params: { event_id, id }, body: given, accept }) {
      const { _id, name } = found(await store.get(event_id, id))
      const body = await accept({}, () => taken(event_id, given, _id))
      const changes = { ...body, ...cleaned(body) }
      if (changes.name === name) delete changes.name
      const partner = found(await unlessTaken(store.update(event_id, _id, changes), event_id, changes, _id))
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

function shown(partner: StoredPartner, partner_campaigns: StoredCampaign[]): Partner {
  const share = (counter: CounterName): number =>
    partner.nb_recipients_email_sent > 0 ? Math.min(1, partner[counter] / partner.nb_recipients_email_sent) : 0
  return {
    ...partner,
    blacklisted_percentage: share('blacklisted_recipients'),
    bounced_percentage: share('bounced_recipients'),
    rejected_percentage: share('rejected_recipients'),
    spammed_percentage: share('spammed_recipients'),
    unsubscribed_percentage: share('unsubscribed_recipients'),
    partner_campaigns: partner_campaigns.map((campaign) => counted(campaign, partner)),
  }
}
