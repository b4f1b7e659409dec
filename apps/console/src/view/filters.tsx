import { Tick } from '../form/field.tsx'
import { localTime, momentOf, ownZone } from '../form/values.ts'
import type { ConsoleResource } from '../resources/resource.ts'
import type { AddressQuery } from '../route/route.ts'
import { type ConsoleSay, named, type TextKey } from '../texts/words.ts'
import { useConsole } from './console.ts'
import type { NamesOf } from './names.ts'
import { Opening } from './opening.tsx'
import { Options } from './options.tsx'
import { useTimes } from './times.ts'

/** Times by which a list is filtered. */
const TIMES = ['since', 'before']
/** What is either asked for or not. */
const FLAGS = ['conflicts', 'archived']
type Choices = readonly (readonly [value: string, words: TextKey])[]
const YES_OR_NO: Choices = [
  ['true', 'yes'],
  ['false', 'no'],
]
/** The values of filters, with their words. */
const CHOICES: Readonly<Record<string, Choices>> = {
  access_status: ([0, 1, 2, 3] as const).map((status) => [String(status), `status_${status}`]),
  checked_in: YES_OR_NO,
  mailed: YES_OR_NO,
  has_email: YES_OR_NO,
  rsvp_status: (['not_replied', 'accepted', 'declined'] as const).map((each) => [each, `choice_${each}`]),
  source: (['import', 'api', 'console', 'walk_in', 'invitation', 'registration'] as const).map((each) => [
    each,
    `choice_${each}`,
  ]),
}

/** Ratings of leads, the best first. */
const RATINGS = [5, 4, 3, 2, 1]

interface Props {
  resource: ConsoleResource
  names: NamesOf
  /** The values of those that are set. */
  query: AddressQuery
  onChange: (query: AddressQuery) => void
}

/** The filters of a list, behind one button; those that are in use stand beside it, each with a way to remove it. */
export function Filters(props: Props) {
  const { say } = useConsole()
  const { resource, query, names, onChange } = props
  const used = resource.filters.filter((name) => name in query)
  return (
    <>
      <Opening
        name="opening filters"
        button="button second"
        text={used.length > 0 ? `${say('filters')} (${used.length})` : say('filters')}
      >
        <FilterFields {...props} />
      </Opening>
      {used.map((name) => (
        <Used
          key={name}
          name={name}
          value={query[name] ?? ''}
          options={choicesOf(say, name) ?? names[name]}
          onRemove={() => onChange(without(query, name))}
        />
      ))}
    </>
  )
}

/** The fields of the filters of a list: the parameters that its resource names. */
export function FilterFields({ resource, names, query, onChange }: Props) {
  const { say } = useConsole()
  return resource.filters.map((name) => (
    <Filter
      key={name}
      name={name}
      value={query[name] ?? ''}
      options={choicesOf(say, name) ?? names[name]}
      onChange={(value) => onChange({ ...without(query, name), ...(value !== '' && { [name]: value }) })}
    />
  ))
}

function without(query: AddressQuery, name: string): AddressQuery {
  const { [name]: _, ...others } = query
  return others
}

interface UsedProps extends Pick<FilterProps, 'name' | 'value' | 'options'> {
  onRemove: () => void
}

/** A filter that is in use, in words. A click removes it. */
function Used({ name, value, options, onRemove }: UsedProps) {
  const { say } = useConsole()
  const times = useTimes()
  const label = named(say, 'field', name)
  const chosen = TIMES.includes(name) ? times.at(value) : (new Map(options).get(value) ?? value)
  const words = FLAGS.includes(name) ? label : `${label}: ${chosen}`
  return (
    <button type="button" class="second chip" aria-label={say('filter_remove', { filter: words })} onClick={onRemove}>
      <span>{words}</span>
      <span aria-hidden="true">×</span>
    </button>
  )
}

interface FilterProps {
  name: string
  value: string
  /** The values that it may have, with their words. */
  options: Iterable<readonly [string, string]> | undefined
  onChange: (value: string) => void
}

function Filter({ name, value, options, onChange }: FilterProps) {
  const { say } = useConsole()
  const { zone } = useTimes()
  const label = named(say, 'field', name)
  if (options) {
    const isYesOrNo = CHOICES[name] === YES_OR_NO
    return (
      <select aria-label={label} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        <option value="">{`${label}: ${say('all')}`}</option>
        {/* Of those, a closed select would not say to what it says yes. */}
        <Options choices={isYesOrNo ? [...options].map(([each, words]) => [each, `${label}: ${words}`]) : options} />
      </select>
    )
  }
  if (FLAGS.includes(name))
    return <Tick words={label} isOn={value !== ''} onTurn={(isOn) => onChange(isOn ? 'true' : '')} />
  return (
    <div class="filter">
      <label for={`filter-${name}`}>
        {label}
        {TIMES.includes(name) && zone && ` (${zone})`}
      </label>
      {TIMES.includes(name) ? (
        <input
          id={`filter-${name}`}
          type="datetime-local"
          value={Number.isNaN(Date.parse(value)) ? '' : localTime(value, zone ?? ownZone())}
          onChange={({ currentTarget }) =>
            onChange(currentTarget.value && momentOf(currentTarget.value, zone ?? ownZone()))
          }
        />
      ) : (
        <input
          id={`filter-${name}`}
          value={value}
          onChange={({ currentTarget }) => onChange(currentTarget.value.trim())}
        />
      )}
    </div>
  )
}

function choicesOf(say: ConsoleSay, name: string): [string, string][] | undefined {
  if (name === 'rating') return RATINGS.map((rating) => [String(rating), say('rating_of', { rating })])
  return CHOICES[name]?.map(([value, words]) => [value, say(words)])
}
