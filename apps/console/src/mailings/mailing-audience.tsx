import { useState } from 'preact/hooks'
import { Tick } from '../form/field.tsx'
import { withoutEmailHref } from '../guests/without-email.ts'
import type { PageProps } from '../resources/resource.ts'
import { asRefusal, change, type GatehouseError, type Item } from '../server/server.ts'
import { named } from '../texts/words.ts'
import { useConsole } from '../view/console.ts'
import { useNames } from '../view/names.ts'
import { Options } from '../view/options.tsx'
import { Problem } from '../view/problem.tsx'
import { useAudienceCount } from './audience-count.ts'

const ONE = '/api/v1/events/{event_id}/mailings/{id}.json'
const REPLIES = ['not_replied', 'accepted', 'declined'] as const

interface Audience {
  guest_category_ids: string[]
  rsvp_status: string | null
  checked_in: boolean | null
  mailed: boolean | null
  not_in_mailing_id: string | null
  invitation_type_id: string | null
}

/** Guests, none of them left out. */
const EVERYBODY: Audience = {
  guest_category_ids: [],
  rsvp_status: null,
  checked_in: null,
  mailed: null,
  not_in_mailing_id: null,
  invitation_type_id: null,
}

interface Props extends PageProps {
  item: Item
}

/** To whom a mailing goes. Each choice is saved at once. */
export function MailingAudience({ params, item }: Props) {
  const { say } = useConsole()
  const [audience, setAudience] = useState(item.audience as Audience)
  const [state, setState] = useState<'open' | 'saved'>('open')
  const [error, setError] = useState<GatehouseError>()
  const names = useNames(['guest_category_id', 'invitation_type_id'], params)
  const categories = names?.guest_category_id ?? new Map<string, string>()
  const types = names?.invitation_type_id ?? new Map<string, string>()
  const { value: counted } = useAudienceCount(params.event_id, item, state)
  const choose = async (part: Partial<Audience>): Promise<void> => {
    const [before, next] = [audience, { ...audience, ...part }]
    setAudience(next)
    setState('open')
    setError(undefined)
    try {
      await change(ONE, { ...params, id: String(item._id) }, { audience: next })
      setState('saved')
    } catch (problem) {
      setAudience(before)
      setError(asRefusal(problem))
    }
  }
  return (
    <section class="form">
      <h2 class="wide">{say('mailing_audience')}</h2>
      {/* It stands beside a form that has a button. */}
      <p class="quiet wide">{say('saved_at_once')}</p>
      {types.size > 0 && (
        <label class="field">
          <span>{say('mailing_to')}</span>
          <select
            value={audience.invitation_type_id ?? ''}
            onChange={({ currentTarget: { value } }) =>
              void choose({ ...EVERYBODY, invitation_type_id: value || null })
            }
          >
            <option value="">{say('mailing_to_guests')}</option>
            <Options choices={[...types].map(([id, name]) => [id, say('mailing_to_invited', { name })] as const)} />
          </select>
        </label>
      )}
      {!audience.invitation_type_id && <AmongGuests audience={audience} categories={categories} onChoose={choose} />}
      <output class="wide">
        {counted &&
          say(counted.is_complete ? 'mailing_reaches' : 'mailing_reaches_more', { count: String(counted.count) })}
      </output>
      {counted !== undefined && counted.without_email > 0 && (
        <a class="wide" href={withoutEmailHref(params.event_id ?? '', filtersOf(audience))}>
          {say('mailing_without_email', { count: counted.without_email })}
        </a>
      )}
      <output class="quiet">{state === 'saved' && say('saved')}</output>
      {error && <Problem error={error} />}
    </section>
  )
}

/** To whom a mailing went that nobody else gets. */
export function SentAudience({ params, item }: Props) {
  const { say } = useConsole()
  const names = useNames(['guest_category_id', 'invitation_type_id'], params)
  const { guest_category_ids, invitation_type_id, rsvp_status, ...others } = item.audience as Audience
  const namesOf = (field: string, ids: string[]) => ids.map((id) => names?.[field]?.get(id) ?? '…').join(', ')
  const type = invitation_type_id && namesOf('invitation_type_id', [invitation_type_id])
  const yesOrNo = (name: 'checked_in' | 'mailed') =>
    others[name] !== null && [say(`field_${name}`), say(others[name] ? 'yes' : 'no')]
  const said = [
    [say('mailing_to'), type ? say('mailing_to_invited', { name: type }) : say('mailing_to_guests')],
    guest_category_ids.length > 0 && [say('field_guest_category_id'), namesOf('guest_category_id', guest_category_ids)],
    rsvp_status !== null && [say('field_rsvp_status'), named(say, 'choice', rsvp_status)],
    yesOrNo('checked_in'),
    yesOrNo('mailed'),
  ].filter((each) => each !== false)
  return (
    <section class="form">
      <h2 class="wide">{say('mailing_audience')}</h2>
      <dl class="facts wide">
        {said.map(([title, words]) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

/** The same guests in the table, as far as its filters can name them. */
function filtersOf({ guest_category_ids, rsvp_status, checked_in, mailed }: Audience): Record<string, string> {
  const [category, ...others] = guest_category_ids
  return {
    ...(category !== undefined && others.length === 0 && { category }),
    ...(rsvp_status !== null && { rsvp_status }),
    ...(checked_in !== null && { checked_in: String(checked_in) }),
    ...(mailed !== null && { mailed: String(mailed) }),
  }
}

interface AmongGuestsProps {
  audience: Audience
  categories: ReadonlyMap<string, string>
  onChoose: (part: Partial<Audience>) => Promise<void>
}

/** Which guests a mailing goes to. */
function AmongGuests({ audience, categories, onChoose: choose }: AmongGuestsProps) {
  const { say } = useConsole()
  const chosen = audience.guest_category_ids
  return (
    <>
      <fieldset class="field">
        <legend>{say('mailing_categories')}</legend>
        {[...categories].map(([id, name]) => (
          <Tick
            key={id}
            words={name}
            isOn={chosen.includes(id)}
            onTurn={(isOn) =>
              void choose({ guest_category_ids: isOn ? [...chosen, id] : chosen.filter((each) => each !== id) })
            }
          />
        ))}
      </fieldset>
      <label class="field">
        <span>{say('field_rsvp_status')}</span>
        <select
          value={audience.rsvp_status ?? ''}
          onChange={({ currentTarget: { value } }) => void choose({ rsvp_status: value || null })}
        >
          <option value="">{say('all')}</option>
          <Options choices={REPLIES.map((each) => [each, say(`choice_${each}`)] as const)} />
        </select>
      </label>
      {(['checked_in', 'mailed'] as const).map((name) => (
        <label key={name} class="field">
          <span>{say(`field_${name}`)}</span>
          <select
            value={audience[name] === null ? '' : String(audience[name])}
            onChange={({ currentTarget: { value } }) => void choose({ [name]: value === '' ? null : value === 'true' })}
          >
            <option value="">{say('all')}</option>
            <option value="true">{say('yes')}</option>
            <option value="false">{say('no')}</option>
          </select>
        </label>
      ))}
    </>
  )
}
