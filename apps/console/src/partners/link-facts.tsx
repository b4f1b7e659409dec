import type { paths } from '../../../../clients/typescript/openapi.ts'
import { useConsole } from '../view/console.ts'
import { useTimes } from '../view/times.ts'

type Path =
  '/api/v1/events/{event_id}/invitation_types/{invitation_type_id}/partner_campaigns/{partner_campaign_id}/page_link.json'
type Link = paths[Path]['get']['responses'][200]['content']['application/json']

/** When the newest link to a partner's page was made and until when it works, and when one was last sent and opened. */
export function LinkFacts({ link }: { link: Link }) {
  const { say, locale } = useConsole()
  const times = useTimes()
  const at = (time: string | null | undefined, by?: string | null) =>
    time ? [times.at(time), by].filter(Boolean).join(', ') : say('partner_link_not_yet')
  const facts = [
    [say('partner_link_made'), at(link.created_at, link.created_by)],
    [say('partner_link_until'), at(link.expires_at)],
    [say('partner_link_sent'), at(link.sent_at, link.sent_to)],
    [say('partner_link_opened'), at(link.opened_at)],
    ...(link.link_count > 1 ? [[say('partner_link_others'), (link.link_count - 1).toLocaleString(locale)]] : []),
  ]
  return (
    <dl class="facts">
      {facts.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
