import type { ItemProps } from '../resources/resource.ts'
import { hrefOf } from '../route/route.ts'
import { useConsole } from '../view/console.ts'
import { useMayChange } from '../view/event.ts'
import { useNames } from '../view/names.ts'
import { NO_LIMIT } from './links.ts'
import { PageLink } from './page-link.tsx'

/** What the page of a campaign has below its facts. */
export function CampaignDetails(props: ItemProps) {
  return (
    <>
      <QuotaNote {...props} />
      <PageLink {...props} />
    </>
  )
}

/** Says what else there is, since nothing changes the quota of a campaign. */
function QuotaNote({ params, item }: ItemProps) {
  const { say } = useConsole()
  const mayChange = useMayChange()('organizer')
  const [event_id, partner_id] = [String(params.event_id), String(item.partner_id)]
  const partner = useNames(['partner_id'], { event_id })?.partner_id?.get(partner_id)
  if (!mayChange || item.quota === NO_LIMIT || partner === undefined) return null
  return (
    <p class="quiet">
      {say('campaign_quota_stays')} <a href={hrefOf('events', event_id, 'partners', partner_id)}>{partner}</a>
    </p>
  )
}
