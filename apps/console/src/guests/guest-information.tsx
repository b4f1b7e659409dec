import { useState } from 'preact/hooks'
import { declaredOf } from '../declared/declared.ts'
import type { PageProps } from '../resources/resource.ts'
import { asRefusal, change, type GatehouseError, type Item } from '../server/server.ts'
import { useConsole } from '../view/console.ts'
import { useMayChange } from '../view/event.ts'
import { useAskBeforeLeaving } from '../view/leaving.ts'
import { Options } from '../view/options.tsx'
import { Problem } from '../view/problem.tsx'
import { type GuestField, useGuestFields } from './guest-fields.ts'

const LIST = '/api/v1/events/{event_id}/guests.json'
const ONE = '/api/v1/events/{event_id}/guests/{id}.json'
/** The most that the API takes. */
const LONGEST = { name: 255, value: 10_000 }
/** Longer values get several lines. */
const LONG = 60

interface Metadatum {
  name: string
  value: string | null
}

/** Something that is known of a guest: the value of a guest field, or what an import or another system has brought. */
interface Entry {
  name: string
  label: string
  value: string
  choices: string[]
}

/** The guest fields of a guest and all further information. */
export function GuestInformation({ params, item }: PageProps & { item: Item }) {
  const { say } = useConsole()
  const event_id = params.event_id ?? ''
  const guestFields = useGuestFields(event_id)
  const mayChange = useMayChange()(declaredOf(LIST).changes ?? 'owner')
  if (!guestFields) return null
  const entries = entriesOf(item.guest_metadata as Metadatum[] | undefined, guestFields)
  const known = entries.filter(({ value }) => value !== '')
  if (!mayChange && known.length === 0) return null
  return (
    <section class="information">
      <h2>{say('guest_information')}</h2>
      {mayChange ? (
        <InformationForm key={String(item._id)} entries={entries} path={{ event_id, id: String(item._id) }} />
      ) : (
        <dl class="facts">
          {known.map(({ name, label, value }, index) => (
            <div key={`${index}-${name}`}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  )
}

interface FormProps {
  entries: readonly Entry[]
  path: { event_id: string; id: string }
}

/** Changes all of it at once. What is emptied goes. */
function InformationForm({ entries: given, path }: FormProps) {
  const { say } = useConsole()
  const [first, setFirst] = useState(given)
  const [entries, setEntries] = useState(given)
  const [added, setAdded] = useState({ name: '', value: '' })
  const [state, setState] = useState<'open' | 'sending' | 'saved'>('open')
  const [error, setError] = useState<GatehouseError>()
  const isChanged = JSON.stringify(entries) !== JSON.stringify(first) || added.name !== '' || added.value !== ''
  useAskBeforeLeaving(isChanged)
  const type = (index: number, value: string): void => {
    setEntries(entries.map((entry, nth) => (nth === index ? { ...entry, value } : entry)))
    setState('open')
  }
  const save = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    setState('sending')
    setError(undefined)
    const name = added.name.trim()
    const all = [...entries, ...(name ? [{ name, label: name, value: added.value, choices: [] }] : [])]
    try {
      const guest_metadata = all.filter(({ value }) => value.trim() !== '').map(({ name, value }) => ({ name, value }))
      await change(ONE, path, { guest_metadata })
      setEntries(all)
      setFirst(all)
      setAdded({ name: '', value: '' })
      setState('saved')
    } catch (problem) {
      setError(asRefusal(problem))
      setState('open')
    }
  }
  return (
    <form class="form" onSubmit={(event) => void save(event)}>
      {entries.map((entry, index) => (
        <EntryField
          key={`${index}-${entry.name}`}
          id={`information-${index}`}
          entry={entry}
          onChange={(value) => type(index, value)}
        />
      ))}
      <div class="fields wide">
        <TextField
          id="information-name"
          label={say('guest_information_name')}
          value={added.name}
          maxLength={LONGEST.name}
          isRequired={added.value !== ''}
          onChange={(name) => setAdded({ ...added, name })}
        />
        <TextField
          id="information-value"
          label={say('guest_information_value')}
          value={added.value}
          maxLength={LONGEST.value}
          onChange={(value) => setAdded({ ...added, value })}
        />
      </div>
      {error && <Problem error={error} />}
      <div class="buttons">
        <button type="submit" disabled={state === 'sending' || !isChanged}>
          {say('save')}
        </button>
        <output class="quiet">{state === 'saved' && say('saved')}</output>
      </div>
    </form>
  )
}

interface EntryProps {
  id: string
  entry: Entry
  onChange: (value: string) => void
}

function EntryField({ id, entry: { label, value, choices }, onChange }: EntryProps) {
  if (choices.length === 0)
    return <TextField id={id} label={label} value={value} maxLength={LONGEST.value} onChange={onChange} />
  // A value that is no longer offered stays until another one is chosen.
  const offered = ['', ...choices, ...(value && !choices.includes(value) ? [value] : [])]
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        <Options choices={offered.map((each) => [each, each || '–'] as const)} />
      </select>
    </div>
  )
}

interface TextProps {
  id: string
  label: string
  value: string
  maxLength: number
  isRequired?: boolean
  onChange: (value: string) => void
}

function TextField({ id, label, value, maxLength, isRequired = false, onChange }: TextProps) {
  const [isLong] = useState(value.length > LONG || value.includes('\n'))
  const common = { id, value, maxLength, required: isRequired }
  return (
    <div class={`field${isLong ? ' wide' : ''}`}>
      <label for={id}>{label}</label>
      {isLong ? (
        <textarea {...common} rows={3} onInput={({ currentTarget }) => onChange(currentTarget.value)} />
      ) : (
        <input {...common} autocomplete="off" onInput={({ currentTarget }) => onChange(currentTarget.value)} />
      )}
    </div>
  )
}

/** The guest fields of the event first, with the guest's value; then whatever else the guest has. */
function entriesOf(metadata: readonly Metadatum[] = [], guestFields: readonly GuestField[]): Entry[] {
  const left = [...metadata]
  const fields = guestFields.map(({ key, label, available_values: choices }) => {
    const at = left.findIndex(({ name }) => name === key)
    const [found] = at < 0 ? [] : left.splice(at, 1)
    return { name: key, label, value: found?.value ?? '', choices }
  })
  return [...fields, ...left.map(({ name, value }) => ({ name, label: name, value: value ?? '', choices: [] }))]
}
