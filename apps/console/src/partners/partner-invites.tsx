import { useState } from 'preact/hooks'
import { UNLIMITED } from '../form/values.ts'
import type { BesideProps, ItemProps } from '../resources/resource.ts'
import { hrefOf } from '../route/route.ts'
import type { Item } from '../server/server.ts'
import { useConsole } from '../view/console.ts'
import { useMayChange } from '../view/event.ts'
import { useNames } from '../view/names.ts'
import { FirstInvite, Invite, segmentsOf } from './invite-form.tsx'
import { PageLink } from './page-link.tsx'

/** To what a partner may invite: its campaigns, the way to another one, and the link to the page of the one that was just made, or is the only one. */
export function PartnerInvites({ params, item, reload }: BesideProps) {
  const [made, setMade] = useState<string>()
  const campaigns = item.partner_campaigns as Item[]
  const linked = campaigns.find(({ _id }) => _id === made) ?? (campaigns.length === 1 ? campaigns[0] : undefined)
  const onMade = (campaign_id: string): void => {
    setMade(campaign_id)
    reload()
  }
  return (
    <>
      {/* What was made may be of a type that was made, too. */}
      <Invites key={campaigns.length} {...{ params, item, onMade }} />
      {linked && (
        <PageLink
          key={String(linked._id)}
          params={params}
          item={linked}
          isNew={linked._id === made}
          email={String(item.email ?? '')}
        />
      )}
    </>
  )
}

function Invites({ params, item, onMade }: ItemProps & { onMade: (campaign_id: string) => void }) {
  const { say } = useConsole()
  const names = useNames(['invitation_type_id', 'guest_category_id'], params)
  const mayChange = useMayChange()('organizer')
  const { invitation_type_id: types, guest_category_id: categories } = names ?? {}
  if (!types || !categories) return null
  const campaigns = item.partner_campaigns as Item[]
  const taken = new Set(campaigns.map(({ invitation_type_id }) => String(invitation_type_id)))
  const others = [...types].filter(([id]) => !taken.has(id))
  const isFirst = mayChange && types.size === 0
  return (
    <section class="panel">
      <h2>{say('partner_invites')}</h2>
      {campaigns.length > 0 && (
        <ul class="rows">
          {campaigns.map(({ _id, invitation_type_id, quota, nb_email_sent }) => (
            <li key={String(_id)} class="row">
              <a href={hrefOf(...segmentsOf(item, invitation_type_id), String(_id))}>
                {types.get(String(invitation_type_id)) ?? String(_id)}
              </a>
              <span>
                {quota === UNLIMITED
                  ? say('partner_invites_unlimited', { sent: String(nb_email_sent) })
                  : say('partner_invites_sent', { sent: String(nb_email_sent), all: String(quota) })}
              </span>
            </li>
          ))}
        </ul>
      )}
      {isFirst && categories.size === 0 && (
        <>
          <p class="quiet">{say('make_first')}</p>
          <div class="buttons">
            <a class="button" href={hrefOf('events', String(item.event_id), 'guest_categories', 'new')}>
              {say('add_guest_categories')}
            </a>
          </div>
        </>
      )}
      {isFirst && categories.size > 0 && <FirstInvite {...{ params, item, onMade }} categories={[...categories]} />}
      {mayChange && others.length > 0 && <Invite {...{ params, item, onMade }} types={others} />}
    </section>
  )
}
