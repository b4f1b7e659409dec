import { useId, useState } from 'preact/hooks'
import { Tick } from '../form/field.tsx'
import { localTime, momentOf, ownZone } from '../form/values.ts'
import type { ConsoleResource } from '../resources/resource.ts'
import type { AddressQuery } from '../route/route.ts'
import { type ConsoleSay, named, type TextKey } from '../texts/words.ts'
import { useConsole } from './console.ts'
import type { NamesOf } from './names.ts'
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
  rsvp_status: (['not_replied', 'accepted', 'declined'] as const).map((each) => [each, `choice_${each}`]),
  source: (['import', 'api', 'console', 'walk_in', 'invitation', 'registration'] as const).map((each) => [
    each,
    `choice_${each}`,
  ]),
}

interface Props {
  resource: ConsoleResource
  names: NamesOf
  /** The values of those that are set. */
  query: AddressQuery
  onChange: (query: AddressQuery) => void
}

/** The filters of a list: the parameters that its resource names. In a narrow window they are behind a button. */
export function Filters({ resource, names, query, onChange }: Props) {
  const { say } = useConsole()
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const change = (name: string, value: string): void => {
    const { [name]: _, ...others } = query
    onChange(value === '' ? others : { ...others, [name]: value })
  }
  const count = resource.filters.filter((name) => name in query).length
  return (
    <div class={`filters${isOpen ? ' open' : ''}`}>
      <button type="button" class="second" aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
        {say('filters')}
        {count > 0 && ` (${count})`}
      </button>
      <div id={id}>
        {resource.filters.map((name) => (
          <Filter
            key={name}
            name={name}
            value={query[name] ?? ''}
            options={choicesOf(say, name) ?? names[name]}
            onChange={(value) => change(name, value)}
          />
        ))}
      </div>
    </div>
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
  if (options)
    return (
      <select aria-label={label} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        <option value="">{`${label}: ${say('all')}`}</option>
        <Options choices={options} />
      </select>
    )
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
          value={Number.isNaN(Date.parse(value)) ? '' : localTime(value, zone ?? ownZone)}
          onChange={({ currentTarget }) =>
            onChange(currentTarget.value && momentOf(currentTarget.value, zone ?? ownZone))
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
  return CHOICES[name]?.map(([value, words]) => [value, say(words)])
}
