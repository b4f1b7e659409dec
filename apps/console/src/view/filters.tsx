import { useState } from 'preact/hooks'
import { Tick } from '../form/field.tsx'
import type { ConsoleResource } from '../resources/resource.ts'
import { type ConsoleSay, named } from '../texts/words.ts'
import { useConsole } from './console.ts'
import type { NamesOf } from './names.ts'
import { Options } from './options.tsx'

/** Times by which a list is filtered. */
const TIMES = ['since', 'before']
/** What is either asked for or not. */
const FLAGS = ['conflicts', 'archived']
/** The results of check-ins. */
const STATUSES = [0, 1, 2, 3] as const

/** The filters of a list: the parameters that its resource names. */
export function Filters({
  resource,
  names,
  onChange,
}: {
  resource: ConsoleResource
  names: NamesOf
  onChange: (query: Record<string, string>) => void
}) {
  const { say } = useConsole()
  const [query, setQuery] = useState<Record<string, string>>({})
  const change = (name: string, value: string): void => {
    const { [name]: _, ...others } = query
    const next = value === '' ? others : { ...others, [name]: value }
    setQuery(next)
    onChange(next)
  }
  return (
    <>
      {resource.filters.map((name) => {
        const label = named(say, 'field', name)
        const options = name === 'access_status' ? statusesIn(say) : names[name]
        if (options)
          return (
            <select key={name} aria-label={label} onChange={({ currentTarget }) => change(name, currentTarget.value)}>
              <option value="">{`${label}: ${say('all')}`}</option>
              <Options choices={options} />
            </select>
          )
        if (FLAGS.includes(name))
          return (
            <Tick key={name} words={label} isOn={name in query} onTurn={(isOn) => change(name, isOn ? 'true' : '')} />
          )
        return (
          <div key={name} class="filter">
            <label for={`filter-${name}`}>{label}</label>
            {TIMES.includes(name) ? (
              <input
                id={`filter-${name}`}
                type="datetime-local"
                onChange={({ currentTarget: { value } }) => change(name, value && new Date(value).toISOString())}
              />
            ) : (
              <input id={`filter-${name}`} onChange={({ currentTarget }) => change(name, currentTarget.value.trim())} />
            )}
          </div>
        )
      })}
    </>
  )
}

function statusesIn(say: ConsoleSay): [string, string][] {
  return STATUSES.map((status) => [String(status), say(`status_${status}`)])
}
