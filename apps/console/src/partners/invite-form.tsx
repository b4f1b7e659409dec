import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { useAskingReplies } from '../mailings/asking-replies.tsx'
import { RepliesOfType } from '../mailings/invitation-replies.tsx'
import type { ItemProps } from '../resources/resource.ts'
import { asRefusal, type GatehouseError, type Item, newKey, post } from '../server/server.ts'
import { useConsole } from '../view/console.ts'
import { useEvent } from '../view/event.ts'
import { Options } from '../view/options.tsx'
import { Problem } from '../view/problem.tsx'
import { announce } from '../view/toasts.tsx'

const TYPES = '/api/v1/events/{event_id}/invitation_types.json'
const CAMPAIGNS = '/api/v1/events/{event_id}/invitation_types/{invitation_type_id}/partner_campaigns.json'

type Choices = [id: string, name: string][]

interface Inviting extends ItemProps {
  /** Called once there is a campaign. */
  onMade: (campaign_id: string) => void
}

/** Lets a partner invite to one more thing. */
export function Invite({ params, item, types, onMade }: Inviting & { types: Choices }) {
  const { say } = useConsole()
  const [type, setType] = useState(types[0]?.[0] ?? '')
  return (
    <InviteForm
      {...{ item, onMade }}
      choice={<Choice label={say('field_invitation_type_id')} value={type} choices={types} onChange={setType} />}
      typeOf={async () => type}
    >
      <RepliesOfType params={params} id={type} />
    </InviteForm>
  )
}

/** The same where the event has no invitation type yet: one is made, with the usual texts and with replies, without which nobody could accept; and with QR codes by e-mail, unless that is not wanted. */
export function FirstInvite({ item, categories, onMade }: Inviting & { categories: Choices }) {
  const { say } = useConsole()
  const { event } = useEvent()
  const [category, setCategory] = useState(categories[0]?.[0] ?? '')
  const [made, setMade] = useState<string>()
  const event_id = String(item.event_id)
  const { choices, ask } = useAskingReplies(event_id)
  const typeOf = async (key: string): Promise<string> => {
    if (made !== undefined) return made
    const name = String(event?.title ?? new Map(categories).get(category))
    const type = { name, guest_category_id: category }
    await ask(type)
    const { _id } = await post(TYPES, { event_id }, type, `${key}-${category}`)
    setMade(String(_id))
    return String(_id)
  }
  return (
    <InviteForm
      {...{ item, onMade }}
      choice={
        categories.length > 1 &&
        made === undefined && (
          <Choice label={say('partner_invites_as')} value={category} choices={categories} onChange={setCategory} />
        )
      }
      typeOf={typeOf}
    >
      <p class="quiet">{say('partner_invites_first')}</p>
      {choices(category, ['confirmation_email_enabled'])}
    </InviteForm>
  )
}

interface Props extends Pick<Inviting, 'onMade'> {
  /** The partner. */
  item: Item
  /** What is chosen beside the number of invitations. */
  choice: ComponentChildren
  /** Returns the invitation type, made under a key that begins like this if there is none. */
  typeOf: (key: string) => Promise<string>
  children: ComponentChildren
}

/** Makes a campaign of a partner with a quota, its own at first. A retry makes nothing twice. */
function InviteForm({ item, choice, typeOf, onMade, children }: Props) {
  const { say } = useConsole()
  const isFirst = (item.partner_campaigns as Item[]).length === 0
  const [quota, setQuota] = useState(Number(item.recipients_quota) > 0 ? String(item.recipients_quota) : '')
  const [key] = useState(newKey)
  const [isSending, setSending] = useState(false)
  const [error, setError] = useState<GatehouseError>()
  const invite = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    setError(undefined)
    setSending(true)
    try {
      const type = await typeOf(key)
      const params = { event_id: String(item.event_id), invitation_type_id: type }
      const campaign = { partner_id: String(item._id), quota: Number(quota) }
      const made = await post(CAMPAIGNS, params, campaign, `${key}-${type}-${quota}`)
      announce(say('partner_invites_done'))
      onMade(String(made._id))
    } catch (problem) {
      setError(asRefusal(problem))
    }
    setSending(false)
  }
  return (
    <form class="part" onSubmit={(event) => void invite(event)}>
      <p class="quiet">{say('partner_invites_text')}</p>
      <div class="buttons">
        {choice}
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
      {children}
      {error && <Problem error={error} />}
      <div class="buttons">
        <button type="submit" class={isFirst ? '' : 'second'} disabled={isSending}>
          {say('partner_invites_begin')}
        </button>
      </div>
    </form>
  )
}

interface ChoiceProps {
  label: string
  value: string
  choices: Choices
  onChange: (value: string) => void
}

function Choice({ label, value, choices, onChange }: ChoiceProps) {
  return (
    <label class="field">
      <span>{label}</span>
      <select value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        <Options choices={choices} />
      </select>
    </label>
  )
}

/** The route of the campaigns of an invitation type. */
export function segmentsOf({ event_id }: Item, type: unknown): string[] {
  return ['events', String(event_id), 'invitation_types', String(type), 'partner_campaigns']
}
