import type { HtmlPage } from '@gatehouse/proto/pages/layout.ts'
import { leftOf, usageOf } from '../../campaigns/partners/usage-store.ts'
import { states } from '../../delivery/invitations/resource.ts'
import type { Dependencies } from '../../dependencies.ts'
import { MAX_WAITING, overviewPage } from './pages/overview.ts'
import type { Visit } from './visit.ts'

/** Invitations on a page. */
const PER_PAGE = 50
/** The last page of the list that has an address. */
const LAST_PAGE = 1_000_000

/** Shows a campaign with its quota, its numbers and its invitations. */
export async function overview({ types, invitations }: Dependencies, visit: Visit): Promise<HtmlPage> {
  const { campaign, partner, context, event, place, query } = visit
  const state = states.find((each) => each === query.get('state'))
  const number = Math.min(LAST_PAGE, Math.max(1, Math.floor(Number(query.get('page')) || 1)))
  const [type, waiting, page] = await Promise.all([
    types.get(campaign.event_id, campaign.invitation_type_id),
    invitations.countQueued(campaign, MAX_WAITING),
    invitations.page(campaign, { state, page: number, per_page: PER_PAGE }),
  ])
  const items = page.decoded()
  return overviewPage(context, {
    path: place.path,
    title: type?.name ?? event,
    event,
    partner: partner.name,
    pause: partner.disable_emails ? 'paused' : campaign.paused_at ? 'paused_itself' : undefined,
    usage: usageOf(partner, campaign._id),
    quota: campaign.quota,
    left: leftOf(partner, campaign),
    waiting,
    list: { state, number, items, hasNext: items.length === PER_PAGE },
    isLive: !query.has('still'),
  })
}
