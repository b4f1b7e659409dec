import type { Message } from '@gatehouse/proto/declaring/messages.ts'
import { coloursOf } from '@gatehouse/proto/pages/colour.ts'
import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import type { DeclaredField } from '../declared/declared.ts'
import { languageNames } from '../texts/texts.ts'
import { type ConsoleSay, named } from '../texts/words.ts'
import { useConsole } from '../view/console.ts'
import { Options } from '../view/options.tsx'
import { errorWords } from './error-words.ts'
import { timeZones } from './time-zones.ts'
import { type FormField, isLimit, UNLIMITED, type Value } from './values.ts'

/** Longer texts get several lines. */
const LONG = 5_000
/** Those that are a web address get a whole line. */
const ADDRESS = 2_000
/** So do those in which people write a whole line. */
const LINES: readonly string[] = ['title', 'subject']

interface Props {
  name: string
  label: string
  field: FormField
  value: Value
  /** What the API says is wrong with it. */
  errors: readonly Message[] | undefined
  /** What it may name, by id. */
  options: ReadonlyMap<string, string> | undefined
  /** What the form itself says of it. */
  ownHint?: string | undefined
  /** Whether the field belongs to an object that is being created. */
  isNew: boolean
  /** The time zone of times. */
  zone: string
  onChange: (value: Value) => void
}

/** A field of a form as its declaration says, with its errors. */
export function Field({ name, label, field, value, errors, options, ownHint, isNew, zone, onChange }: Props) {
  const { say, locale } = useConsole()
  const id = `field-${name}`
  const known = useMemo(() => knownChoices(field, locale), [field.known, locale])
  const hint = hintOf(say, field, options !== undefined, zone, ownHint) ?? ownHint ?? hintNamed(say, name, isNew)
  const described = [hint !== undefined && `${id}-hint`, errors && `${id}-error`].filter(Boolean).join(' ')
  const describing = described && { 'aria-describedby': described }
  const common = { id, name, required: field.required === true, 'aria-invalid': errors !== undefined, ...describing }
  const placeholder = isLimit(name, field) && !field.required ? say('no_limit') : field.fallback
  const unset = placeholder === undefined ? {} : { placeholder }
  const notes = <Notes id={id} hint={hint} errors={errors} />
  const choices = options ?? (known ? choicesWith(known, String(value)) : choicesOf(say, field))
  if (field.kind === 'boolean')
    return (
      <div class="field tick wide">
        <input
          {...common}
          required={false}
          type="checkbox"
          checked={value === true}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        />
        <label for={id}>{label}</label>
        {notes}
      </div>
    )
  if (Array.isArray(value) && choices)
    return (
      <fieldset class="field" id={id} {...describing}>
        <legend>{label}</legend>
        {[...choices].map(([choice, words]) => (
          <Tick
            key={choice}
            words={words}
            apiName={isApiName(choice) ? choice : undefined}
            isOn={value.includes(choice)}
            onTurn={(isOn) => onChange(isOn ? [...value, choice] : value.filter((each) => each !== choice))}
          />
        ))}
        {choices.size === 0 && <span class="quiet">–</span>}
        {notes}
      </fieldset>
    )
  return (
    <div class={`field${isLong(field) || isAddress(field) || LINES.includes(name) ? ' wide' : ''}`}>
      <label for={id}>{label}</label>
      {choices ? (
        <select {...common} value={String(value)} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
          {(value === '' || (!field.required && field.initial === undefined)) && (
            <option value="">{field.required ? say('choose') : unsetWords(say, name)}</option>
          )}
          <Options choices={choices} />
        </select>
      ) : (
        typed({ ...common, ...unset }, field, value, onChange)
      )}
      {notes}
    </div>
  )
}

function Notes({ id, hint, errors }: { id: string; hint: string | undefined; errors: Props['errors'] }) {
  const { say } = useConsole()
  return (
    <>
      {hint !== undefined && (
        <small id={`${id}-hint`} class="hint">
          {hint}
        </small>
      )}
      {errors && (
        <small id={`${id}-error`} class="problem">
          {errors.map((each) => errorWords(say, each)).join(' ')}
        </small>
      )}
    </>
  )
}

interface TickProps {
  words: string
  /** What the API calls it, where that helps. */
  apiName?: string | undefined
  isOn: boolean
  onTurn: (isOn: boolean) => void
}

/** A checkbox with its label. */
export function Tick({ words, apiName, isOn, onTurn }: TickProps) {
  return (
    <label class="tick">
      <input type="checkbox" checked={isOn} onChange={({ currentTarget }) => onTurn(currentTarget.checked)} />{' '}
      <span>
        {words} {apiName !== undefined && <code class="api-name">{apiName}</code>}
      </span>
    </label>
  )
}

/** Whether a choice is one that developers look up by its name, such as `guest.created`: it is shown beside the words. */
function isApiName(choice: string): boolean {
  return choice.includes('.')
}

function typed(common: object, field: FormField, value: Value, onChange: (value: Value) => void): ComponentChildren {
  const { kind, maxLength, maximum, minimum } = field
  if (Array.isArray(value))
    return (
      <input
        {...common}
        value={value.join(', ')}
        onChange={({ currentTarget }) =>
          onChange(
            currentTarget.value
              .split(',')
              .map((each) => each.trim())
              .filter(Boolean),
          )
        }
      />
    )
  const limits = maxLength === undefined ? {} : { maxLength }
  if (isLong(field))
    return (
      <textarea
        {...common}
        {...limits}
        rows={4}
        value={String(value)}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    )
  const shared = {
    ...common,
    value: String(value),
    autocomplete: 'off',
    onInput: ({ currentTarget }: { currentTarget: HTMLInputElement }) => onChange(currentTarget.value),
  }
  if (kind === 'datetime') return <input {...shared} type="datetime-local" />
  if (field.known === 'colours') return <Colour shared={shared} onChange={onChange} />
  if (kind === 'text') return <input {...shared} {...limits} list={field.list} />
  // What the API calls no limit is below any.
  const min = minimum === UNLIMITED ? 0 : minimum
  const bounds = { ...(maximum !== undefined && { max: maximum }), ...(min !== undefined && { min }) }
  return <input {...shared} {...bounds} type="number" step={kind === 'integer' ? 1 : 'any'} />
}

/** A colour, to be picked or typed; no text is no colour of one's own. */
function Colour({ shared, onChange }: { shared: { value: string }; onChange: (value: Value) => void }) {
  const { say } = useConsole()
  const { background } = coloursOf(shared.value)
  return (
    <span class="colour">
      <input
        type="color"
        aria-label={say('colour_pick')}
        value={background}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
      <input {...shared} placeholder={background} maxLength={7} />
    </span>
  )
}

function isLong({ kind, maxLength = 0 }: DeclaredField): boolean {
  return kind === 'text' && maxLength > LONG
}

/** Whether what is typed is a web address, or several. */
function isAddress({ kind, maxLength = 0 }: DeclaredField): boolean {
  return kind === 'texts' || (kind === 'text' && maxLength >= ADDRESS)
}

/** The hint below a field; some are for an object alone that is being created. */
function hintNamed(say: ConsoleSay, name: string, isNew: boolean): string | undefined {
  const keys = isNew ? [name, `new_${name}`] : [name]
  return keys.map((key) => named(say, 'hint', key)).find((hint, index) => hint !== keys[index])
}

/** What choosing nothing means. */
function unsetWords(say: ConsoleSay, name: string): string {
  const words = named(say, 'unset', name)
  return words === name ? '–' : words
}

function choicesOf(say: ConsoleSay, { choices }: DeclaredField) {
  return choices && new Map(choices.map((each) => [each, named(say, 'choice', each)]))
}

/** The values of a field that everybody knows: languages, each in itself, and time zones. */
function knownChoices({ known }: DeclaredField, locale: string): ReadonlyMap<string, string> | undefined {
  if (known === 'languages') return new Map(Object.entries(languageNames))
  return known === 'time_zones' ? timeZones(locale) : undefined
}

/** The same with what is there now, which may have another name. */
function choicesWith(known: ReadonlyMap<string, string>, value: string): ReadonlyMap<string, string> {
  return value === '' || known.has(value) ? known : new Map([[value, value], ...known])
}

function hintOf(
  say: ConsoleSay,
  { kind }: DeclaredField,
  hasOptions: boolean,
  zone: string,
  own: string | undefined,
): string | undefined {
  if (kind === 'texts' && !hasOptions) return [own, say('one_per_comma')].filter(Boolean).join(' ')
  if (kind !== 'datetime') return undefined
  return own && zone ? `${own} ${say('time_zone_is', { zone })}` : own || zone || undefined
}
