import type { Call, Output } from '@gatehouse/proto/declaring/resource.ts'
import { type Adopted, adoptEach } from '@gatehouse/proto/storage/adopting.ts'
import type { Dependencies } from '../../dependencies.ts'
import { NO_PARTNER } from './reconciliation.ts'
import type { partnerCampaigns } from './resource.ts'

type Adopt = (typeof partnerCampaigns)['actions']['adopt']

/** Takes over campaigns of another system, whose partners are here. Their discount codes are as any others of the event. */
export function adopt(
  { partners, campaigns }: Dependencies,
  { query: { event_id, compares }, body }: Call<Adopt>,
): Promise<Output<Adopt>> {
  return adoptEach(body, async (items): Promise<Adopted[]> => {
    const ids = [...new Set(items.map(({ partner_id }) => partner_id))]
    const names = new Map((await partners.withIds(event_id, ids)).map(({ _id, name }) => [_id, name]))
    const known = items.filter(({ partner_id }) => names.has(partner_id))
    const adopted = await campaigns.adopt(
      known.map((item) => ({ ...item, event_id })),
      names,
      compares,
    )
    const outcomes = new Map(known.map(({ _id }, index) => [_id, adopted[index] as Adopted]))
    return items.map(({ _id }) => outcomes.get(_id) ?? { errors: NO_PARTNER })
  })
}
