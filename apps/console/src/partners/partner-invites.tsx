import { useState } from 'preact/hooks'
import { RepliesOfType } from '../mailings/invitation-replies.tsx'
import type { ItemProps } from '../resources/resource.ts'
import { goTo, hrefOf, hrefOfNew } from '../route/route.ts'
import { asRefusal, type GatehouseError, type Item, newKey, post } from '../server/server.ts'
import { useConsole } from '../view/console.ts'
import { useMayChange } from '../view/event.ts'
import { useNames } from '../view/names.ts'
import { Options } from '../view/options.tsx'
import { Problem } from '../view/problem.tsx'

const CAMPAIGNS = '/api/v1/events/{event_id}/invitation_types/{invitation_type_id}/partner_campaigns.json'

/** To what a partner may invite: its campaigns, and the way to another one. */
export function PartnerInvites({ params, item }: ItemProps) {
  const { say } = useConsole()
  const names = useNames(['invitation_type_id'], params)
  const mayChange = useMayChange()('organizer')
  const types = names?.invitation_type_id
  if (!types) return null
  const event = ['events', String(item.event_id)]
  const campaigns = item.partner_campaigns as Item[]
  const taken = new Set(campaigns.map(({ invitation_type_id }) => String(invitation_type_id)))
  const others = [...types].filter(([id]) => !taken.has(id))
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
              <span>{say('partner_invites_sent', { sent: String(nb_email_sent), all: String(quota) })}</span>
            </li>
          ))}
        </ul>
      )}
      {mayChange && types.size === 0 && (
        <>
          <p class="quiet">{say('partner_invites_first')}</p>
          <div class="buttons">
            <a
              class="button"
              href={hrefOfNew([...event, 'invitation_types'], [...event, 'partners', String(item._id)])}
            >
              {say('add_invitation_types')}
            </a>
          </div>
        </>
      )}
      {mayChange && others.length > 0 && <Invite params={params} item={item} types={others} />}
    </section>
  )
}

/** Lets a partner invite to one more thing, and leads to where its link is. */
function Invite({ params, item, types }: ItemProps & { types: [id: string, name: string][] }) {
  const { say } = useConsole()
  const [type, setType] = useState(types[0]?.[0] ?? '')
  const [quota, setQuota] = useState(Number(item.recipients_quota) > 0 ? String(item.recipients_quota) : '')
  const [error, setError] = useState<GatehouseError>()
  const invite = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    setError(undefined)
    try {
      const params = { event_id: String(item.event_id), invitation_type_id: type }
      const made = await post(CAMPAIGNS, params, { partner_id: String(item._id), quota: Number(quota) }, newKey())
      goTo(...segmentsOf(item, type), String(made._id))
    } catch (problem) {
      setError(asRefusal(problem))
    }
  }
  return (
    <form class="part" onSubmit={(event) => void invite(event)}>
      <p class="quiet">{say('partner_invites_text')}</p>
      <div class="buttons">
        <label class="field">
          <span>{say('field_invitation_type_id')}</span>
          <select value={type} onChange={({ currentTarget }) => setType(currentTarget.value)}>
            <Options choices={types} />
          </select>
        </label>
        <label class="field">
          <span>{say('partner_invites_most')}</span>
          <input
            type="number"
            required
            min={0}
            value={quota}
            onInput={({ currentTarget }) => setQuota(currentTarget.value)}
          />
        </label>
      </div>
      <RepliesOfType params={params} id={type} />
      {error && <Problem error={error} />}
      <div class="buttons">
        <button type="submit">{say('partner_invites_begin')}</button>
      </div>
    </form>
  )
}

/** The route of the campaigns of an invitation type. */
function segmentsOf({ event_id }: Item, type: unknown): string[] {
  return ['events', String(event_id), 'invitation_types', String(type), 'partner_campaigns']
}
