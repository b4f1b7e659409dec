import type { FieldErrors } from '@gatehouse/proto/declaring/faults.ts'
import { type ComponentChildren, Fragment } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { mapped } from '../declared/declared.ts'
import { asRefusal, type GatehouseError, type Item, newKey } from '../server/server.ts'
import { type TextKey, titleOf } from '../texts/words.ts'
import { useConsole } from '../view/console.ts'
import { useEvent } from '../view/event.ts'
import { useAskBeforeLeaving } from '../view/leaving.ts'
import type { NamesOf } from '../view/names.ts'
import { Problem } from '../view/problem.tsx'
import { Skeleton } from '../view/skeleton.tsx'
import { useTimes } from '../view/times.ts'
import { announce } from '../view/toasts.tsx'
import { labelled, messagesOf } from './error-words.ts'
import { Field } from './field.tsx'
import { MoreSettings } from './more-settings.tsx'
import {
  bodyOf,
  type FormFields,
  firstValuesOf,
  isDiscount,
  isShare,
  type Value,
  type Values,
  valuesLike,
  valuesOf,
  zoneShown,
} from './values.ts'

/** What a form holds, and what changes it. */
export interface Held {
  values: Values
  change: (name: string, value: Value) => void
  errors: FieldErrors
}

export interface FormProps {
  fields: FormFields
  /** What is changed; undefined where something is created. */
  item?: Item | undefined
  /** What fields may name. */
  names: NamesOf
  /** The words of the button, where a form does something rather than saves: it may be sent as it is. */
  submit?: TextKey | undefined
  /** What is announced once it was sent, such as what came of it; that it was saved unless given. */
  said?: (() => string | undefined) | undefined
  /** What is done right after saving by a button of its own, before the usual one: its words, the name that `send` is told, and what is announced. */
  also?: { words: string; act: string; says: string } | undefined
  /** Sends what has changed. The key is the same until the body is another one or was answered. `act` is what is done next, where that was chosen. */
  send: (body: Item, key: string, act?: string) => Promise<void>
  /** What edits fields in place of the usual input, or around it, by their names. */
  editors?: Readonly<Record<string, (held: Held, usual: ComponentChildren) => ComponentChildren>>
  /** Whether fields are shown that mean something only beside what others hold, by their names. What they hold stays. */
  when?: Readonly<Record<string, (values: Values) => boolean>> | undefined
  /** Fields that few need: they follow the others, closed unless they are used. */
  seldom?: readonly string[] | undefined
  /** Headings of a long form, each before the field that it names. */
  headings?: Readonly<Partial<Record<string, TextKey>>> | undefined
  /** Hints of fields that mean something else elsewhere. */
  hints?: Readonly<Partial<Record<string, TextKey>>> | undefined
  /** What fields are called where it is not the usual word. */
  titles?: Readonly<Partial<Record<string, TextKey>>> | undefined
  /** What was just created: a new one begins with the same ticks, choices and numbers. */
  like?: Item | undefined
  /** What fields begin with where something is created; after another one, those that are empty otherwise. */
  begin?: Values | undefined
  /** What is often done once something was created. */
  next?: (() => { words: string; href: string } | undefined) | undefined
  /** What is shown below the fields of what they hold. */
  preview?: (values: Values) => ComponentChildren
  /** Called with what the fields hold, and whether that is not saved, at first and after each change. */
  onTyped?: ((values: Values, isChanged: boolean) => void) | undefined
  /** By which buttons elsewhere on the page save it. */
  id?: string | undefined
  children?: ComponentChildren
}

/** A form of declared fields. What was typed stays until the server has taken it. */
export function Form(props: FormProps) {
  // Its times are typed in the time zone of the event.
  return useEvent().isAwaited ? <Skeleton /> : <OpenForm {...props} />
}

function OpenForm({
  fields,
  item,
  like,
  begin,
  names,
  submit: act,
  said,
  also,
  send,
  preview,
  onTyped,
  id,
  when = {},
  next,
  children,
  ...own
}: FormProps) {
  const { say } = useConsole()
  const { zone } = useTimes()
  const [first, setFirst] = useState(() => beginning({ fields, item, like, begin, names }, zone))
  const [values, setValues] = useState(first)
  const [error, setError] = useState<GatehouseError>()
  const [isSending, setSending] = useState(false)
  const sent = useRef({ body: '', key: '' })
  const form = useRef<HTMLFormElement>(null)
  const [preset] = useState(() => beginning({ fields, begin, names }, zone))
  // Once it is shown: it may have been closed away.
  useEffect(() => {
    const wrong = Object.keys(error?.errors ?? {}).find((name) => name in fields)
    if (wrong) form.current?.querySelector<HTMLElement>(`#field-${wrong}`)?.focus()
  }, [error])
  const isChanged = !same(values, first)
  useEffect(() => onTyped?.(values, isChanged), [values, isChanged])
  // What is sent may lead to another page itself.
  useAskBeforeLeaving(isChanged, isChanged && !isSending)
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    const body = bodyOf(fields, values, item ? first : valuesOf(fields, undefined), zone)
    const text = JSON.stringify(body)
    // What got no answer may have been done.
    if (sent.current.body !== text || error?.status) sent.current = { body: text, key: newKey() }
    setSending(true)
    setError(undefined)
    try {
      const chosen = event.submitter?.getAttribute('value') ?? undefined
      await send(body, sent.current.key, chosen)
      sent.current = { body: '', key: '' }
      setFirst(values)
      announce(
        (chosen && also?.says) ?? said?.() ?? say('saved'),
        item && !act ? () => undo(values) : undefined,
        next?.(),
      )
    } catch (problem) {
      setError(asRefusal(problem))
    }
    setSending(false)
  }
  /** Sends what there was before. What was typed meanwhile stays. */
  const undo = async (saved: Values): Promise<void> => {
    await send(bodyOf(fields, first, saved, zone), newKey())
    setFirst(first)
    setValues((now) => mapped(now, (value, name) => (same(value, saved[name]) ? (first[name] as Value) : value)))
  }
  const shown = Object.fromEntries(Object.entries(fields).filter(([name]) => when[name]?.(values) !== false))
  const change = (name: string, value: Value): void => {
    setValues((before) => ({ ...before, [name]: value }))
  }
  return (
    <form ref={form} id={id} class="form" onSubmit={(event) => void submit(event)}>
      <Fields
        fields={shown}
        {...{ item, names, values, preset, change }}
        {...own}
        errors={error ? messagesOf(error) : {}}
      />
      {preview?.(values)}
      {error && <FormError error={error} fields={shown} />}
      <div class={isChanged || also ? 'buttons in-sight' : 'buttons'}>
        {also && (
          <button type="submit" value={also.act} disabled={isSending}>
            {also.words}
          </button>
        )}
        <button
          type="submit"
          class={also ? 'second' : ''}
          disabled={isSending || (item !== undefined && !isChanged && !act)}
        >
          {say(act ?? 'save')}
        </button>
        {children}
      </div>
    </form>
  )
}

type Beginning = Pick<FormProps, 'fields' | 'item' | 'like' | 'begin' | 'names'>

function beginning({ fields, item, like, begin = {}, names }: Beginning, zone?: string): Values {
  if (item) return valuesOf(fields, item, zone)
  const first = like ? valuesLike(fields, like, names, zone) : firstValuesOf(fields, zone)
  return mapped(first, (value, name) => (like && String(value) !== '' ? value : (begin[name] ?? value)))
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

type FieldsProps = Pick<
  FormProps,
  'fields' | 'item' | 'names' | 'editors' | 'seldom' | 'headings' | 'hints' | 'titles'
> &
  Held & {
    /** What a new item begins with. */
    preset: Values
  }

function Fields({ fields, preset, seldom = [], headings = {}, titles = {}, ...more }: FieldsProps) {
  const { values, errors } = more
  const { say } = useConsole()
  const names = Object.keys(fields)
  const hidden = names.filter((name) => seldom.includes(name))
  const topics = hidden.flatMap((name) => headings[name] ?? [])
  const shown = (name: string) => (
    <Fragment key={name}>
      {headings[name] && <h2 class="wide">{say(headings[name])}</h2>}
      <OneField {...{ name, fields, titles }} {...more} />
    </Fragment>
  )
  return (
    <>
      {Object.values(fields).some(({ required, kind }) => required && kind !== 'boolean') && (
        <p class="quiet wide">{say('required_note')}</p>
      )}
      {names.filter((name) => !seldom.includes(name)).map(shown)}
      {hidden.length > 0 && (
        <MoreSettings
          topics={
            topics.length > 0 ? topics.map((each) => say(each)) : hidden.map((name) => titleOf(say, titles, name))
          }
          isUsed={hidden.some((name) => !same(values[name], preset[name]))}
          hasErrors={hidden.some((name) => errors[name])}
        >
          {hidden.map(shown)}
        </MoreSettings>
      )}
    </>
  )
}

type OneFieldProps = Omit<FieldsProps, 'preset' | 'seldom' | 'headings'> & { name: string }

function OneField({ name, fields, item, names, editors = {}, hints = {}, titles = {}, ...held }: OneFieldProps) {
  const { values, errors, change } = held
  const { say } = useConsole()
  const { zone } = useTimes()
  const field = fields[name]
  if (!field) return null
  const [hint, title] = [hints[name], titleOf(say, titles, name)]
  const usual = (
    <Field
      name={name}
      field={field}
      value={values[name] as Value}
      errors={errors[name]}
      options={names[name]}
      label={isDiscount(values, name) ? `${title} (${isShare(values, name) ? '%' : say('fixed_amount')})` : title}
      ownHint={hint && say(hint)}
      isNew={item === undefined}
      zone={zoneShown(values, zone)}
      onChange={(value) => change(name, value)}
    />
  )
  return <>{editors[name]?.(held, usual) ?? usual}</>
}

/** A refusal: as a whole, or about fields that the form does not show. */
function FormError({ error, fields }: { error: GatehouseError; fields: FormFields }) {
  const { say } = useConsole()
  const others = Object.entries(messagesOf(error)).filter(([name]) => !(name in fields))
  return (
    <>
      {(error.status !== 422 || Object.keys(error.errors).length === 0) && <Problem error={error} />}
      {others.length > 0 && (
        <ul class="problem" role="alert">
          {others.map(([name, messages]) => (
            <li key={name}>{labelled(say, name, messages)}</li>
          ))}
        </ul>
      )}
    </>
  )
}
