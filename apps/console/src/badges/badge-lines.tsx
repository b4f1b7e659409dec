import { useState } from 'preact/hooks'
import { errorWords } from '../form/error-words.ts'
import type { Held } from '../form/form.tsx'
import type { CellProps } from '../resources/resource.ts'
import { client } from '../server/server.ts'
import { type ConsoleSay, named } from '../texts/words.ts'
import { Cell } from '../view/cell.tsx'
import { useConsole } from '../view/console.ts'
import { useLoaded } from '../view/loaded.ts'
import { Options } from '../view/options.tsx'

/** A line of a badge. */
export interface BadgeLine {
  field: string
  size: number
  weight: string
}

/** What a line can show of each guest. */
const FIELDS = [
  'name',
  'first_name',
  'last_name',
  'company_name',
  'position',
  'category',
  'email',
  'phone_number',
  'uid',
] as const
const MOST = 20
const NEW: BadgeLine = { field: 'name', size: 16, weight: 'regular' }

/** The lines that a form holds. */
export function linesIn(value: unknown): BadgeLine[] {
  return JSON.parse(String(value || '[]'))
}

/** Edits the lines of a badge in their order. */
export function BadgeLines({ event_id, values, change, errors }: Held & { event_id: string }) {
  const { say } = useConsole()
  const lines = linesIn(values.lines)
  const names = useFieldNames(event_id, lines)
  const [moved, setMoved] = useState('')
  const wrong = Object.entries(errors).filter(([name]) => name === 'lines' || name.startsWith('lines.'))
  const set = (next: BadgeLine[]): void => change('lines', JSON.stringify(next))
  const move = (from: number, to: number): void => {
    const line = lines[from]
    if (!line || to < 0 || to >= lines.length) return
    set(lines.toSpliced(from, 1).toSpliced(to, 0, line))
    setMoved(say('badge_line_moved', { line: names.get(line.field) ?? line.field, place: to + 1 }))
    focusLater(`line-${to}-field`)
  }
  return (
    <fieldset class="badge-lines" id="field-lines">
      <legend>{say('badge_lines')}</legend>
      <p class="hint">{say('badge_lines_hint')}</p>
      <ol>
        {lines.map((line, index) => (
          <li
            key={index}
            onKeyDown={(event) => {
              const step = event.altKey && { ArrowUp: -1, ArrowDown: 1 }[event.key]
              if (!step) return
              event.preventDefault()
              move(index, index + step)
            }}
          >
            <Line
              {...{ index, line, names }}
              isLast={index === lines.length - 1}
              onChange={(next) => set(lines.with(index, next))}
              onMove={(step) => move(index, index + step)}
              onRemove={() => {
                set(lines.toSpliced(index, 1))
                focusLater('line-add')
              }}
            />
          </li>
        ))}
      </ol>
      {wrong.map(([name, messages]) => (
        <small key={name} class="problem">
          {messages.map((each) => errorWords(say, each)).join(' ')}
        </small>
      ))}
      <div class="buttons">
        <button
          id="line-add"
          type="button"
          class="second"
          disabled={lines.length >= MOST}
          onClick={() => {
            set([...lines, NEW])
            focusLater(`line-${lines.length}-field`)
          }}
        >
          {say('badge_line_add')}
        </button>
        <output class="quiet">{moved}</output>
      </div>
    </fieldset>
  )
}

/** What the lines of a template show, for those who only look at it. */
export function LinesCell({ item }: CellProps) {
  const lines = item.lines as BadgeLine[]
  const names = useFieldNames(String(item.event_id), lines)
  return <Cell kind="texts" value={lines.map(({ field }) => field)} names={names} />
}

interface LineProps {
  index: number
  line: BadgeLine
  names: ReadonlyMap<string, string>
  isLast: boolean
  onChange: (line: BadgeLine) => void
  onMove: (step: -1 | 1) => void
  onRemove: () => void
}

function Line({ index, line, names, isLast, onChange, onMove, onRemove }: LineProps) {
  const { say } = useConsole()
  const about = { line: names.get(line.field) ?? line.field }
  const weights = (['regular', 'bold'] as const).map((each) => [each, say(`choice_${each}`)] as const)
  return (
    <>
      <select
        id={`line-${index}-field`}
        aria-label={say('badge_line', { place: index + 1 })}
        value={line.field}
        onChange={({ currentTarget }) => onChange({ ...line, field: currentTarget.value })}
      >
        <Options choices={names} />
      </select>
      <input
        type="number"
        min={5}
        max={200}
        required
        aria-label={say('badge_line_size', about)}
        value={line.size}
        onInput={({ currentTarget }) => onChange({ ...line, size: currentTarget.valueAsNumber || 0 })}
      />
      <span class="unit" aria-hidden="true">
        pt
      </span>
      <select
        aria-label={say('badge_line_weight', about)}
        value={line.weight}
        onChange={({ currentTarget }) => onChange({ ...line, weight: currentTarget.value })}
      >
        <Options choices={weights} />
      </select>
      <span class="moves">
        <Act words={say('badge_line_up', about)} sign="↑" isOff={index === 0} act={() => onMove(-1)} />
        <Act words={say('badge_line_down', about)} sign="↓" isOff={isLast} act={() => onMove(1)} />
        <Act words={say('badge_line_remove', about)} sign="×" isOff={false} act={onRemove} />
      </span>
    </>
  )
}

function Act({ words, sign, isOff, act }: { words: string; sign: string; isOff: boolean; act: () => void }) {
  return (
    <button type="button" class="second" aria-label={words} title={words} disabled={isOff} onClick={act}>
      {sign}
    </button>
  )
}

/** What a line can show: fields of guests, the event's own, and whatever a line shows already. */
function useFieldNames(event_id: string, lines: readonly BadgeLine[]): ReadonlyMap<string, string> {
  const { say } = useConsole()
  const { value = [] } = useLoaded(
    async (signal) => {
      const path = { event_id }
      return (await client.GET('/api/v1/events/{event_id}/guest_fields.json', { params: { path }, signal })).data
    },
    [event_id],
  )
  const names = new Map<string, string>(FIELDS.map((name) => [name, labelOf(say, name)]))
  for (const { key, label, type } of value) if (type !== 'file' && !names.has(key)) names.set(key, label || key)
  for (const { field } of lines) if (!names.has(field)) names.set(field, field)
  return names
}

function labelOf(say: ConsoleSay, name: (typeof FIELDS)[number]): string {
  return name === 'name' ? say('badge_whole_name') : named(say, 'field', name)
}

/** Focuses what the next drawing of the page has. */
function focusLater(id: string): void {
  requestAnimationFrame(() => requestAnimationFrame(() => document.getElementById(id)?.focus()))
}
