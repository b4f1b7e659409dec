import type { ItemProps } from '../resources/resource.ts'
import { useNames } from '../view/names.ts'

/** A campaign is called like its partner. */
export function CampaignHeading({ params, item }: ItemProps) {
  const names = useNames(['partner_id'], params)
  return <>{names?.partner_id?.get(String(item.partner_id)) ?? '…'}</>
}
