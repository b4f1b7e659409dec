import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { Form, type Held } from '../form/form.tsx'
import { localTime, ownZone, type Value } from '../form/values.ts'
import { useGuestFields } from '../guests/guest-fields.ts'
import type { EditorProps } from '../resources/resource.ts'
import { type ConsoleSay, named } from '../texts/words.ts'
import { useConsole } from '../view/console.ts'
import { useEvent } from '../view/event.ts'
import { useTimes } from '../view/times.ts'
import { useAskingReplies } from './asking-replies.tsx'

const OF_EVENT = ['event_title', 'event_dates', 'event_location']
/** Of guests, and of the event. */
const PERSON = ['first_name', 'last_name', 'email', 'company_name', 'position', 'phone_number', 'uid', ...OF_EVENT]
/** What a message has besides. */
const FOR_GUESTS = ['qrcode', 'wallet', 'badge', 'calendar', 'unsubscribe_link']
const OF_INVITATIONS = ['first_name', 'last_name', 'email', ...OF_EVENT, 'partner_name', 'link']

type Choices = readonly (readonly [name: string, words: string])[]

/** The form of a mailing: subject and message offer what they may contain. */
export function MailingEditor(props: EditorProps) {
  const { say } = useConsole()
  const guestFields = useGuestFields(props.params.event_id ?? '') ?? []
  const own: Choices = guestFields.map(({ key, label }) => [key, label])
  const subject = [...worded(say, PERSON), ...own]
  return (
    <MailEditor
      {...props}
      subject={subject}
      message={[...worded(say, FOR_GUESTS), ...subject]}
      offer={(held) => !props.item && <ExampleOffer held={held} />}
      editors={{ ongoing: (held, usual) => <UntilTheEnd held={held} usual={usual} /> }}
    />
  )
}

/** Fills in what most first mailings say, as long as there is no message. */
function ExampleOffer({ held: { values, change } }: { held: Held }) {
  const { say } = useConsole()
  if (values.message !== '') return null
  const fill = (): void => {
    const event = '{{event_title}}'
    if (values.name === '') change('name', say('mailing_example_name'))
    change('subject', say('mailing_example_subject', { event }))
    change('message', say('mailing_example', { event, name: '{{first_name}}', qrcode: '{{qrcode}}' }))
  }
  return (
    <p class="wide">
      <button type="button" class="second" onClick={fill}>
        {say('mailing_example_use')}
      </button>
    </p>
  )
}

/** Whether guests who are added later get it too: until the end of the event, unless a time is typed. */
function UntilTheEnd({ held: { values, change }, usual }: { held: Held; usual: ComponentChildren }) {
  const { zone = ownZone } = useTimes()
  const end = useEvent().event?.end_date
  useEffect(() => {
    if (values.ongoing === true && values.closes_at === '' && end) change('closes_at', localTime(String(end), zone))
  }, [values.ongoing])
  return <>{usual}</>
}

/** The form of an invitation type: the same. A new one asks for replies, without which nobody could accept. */
export function InvitationTypeEditor(props: EditorProps) {
  const { say } = useConsole()
  const names = worded(say, OF_INVITATIONS)
  const { field, ask } = useAskingReplies(props.params.event_id ?? '')
  if (props.item) return <MailEditor {...props} subject={names} message={names} />
  const send: EditorProps['send'] = async (body, key) => {
    await ask(body)
    await props.send(body, key)
  }
  return <MailEditor {...props} send={send} subject={names} message={names} editors={{ guest_category_id: field }} />
}

interface MailProps extends EditorProps {
  subject: Choices
  message: Choices
  /** What is offered above both. */
  offer?: (held: Held) => ComponentChildren
}

function MailEditor({ subject, message, offer, editors, ...form }: MailProps) {
  const around = (name: string, choices: Choices) => (held: Held, usual: ComponentChildren) => (
    <>
      {name === 'subject' && offer?.(held)}
      <WithPlaceholders {...{ name, choices, usual }} held={held} />
    </>
  )
  const own = { subject: around('subject', subject), message: around('message', message) }
  return <Form {...form} editors={{ ...editors, ...own }} />
}

interface Props {
  name: string
  choices: Choices
  held: Held
  usual: ComponentChildren
}

/** A field with a menu whose choices are inserted where the cursor is. */
function WithPlaceholders({ name, choices, held: { values, change }, usual }: Props) {
  const { say } = useConsole()
  const insert = (chosen: string): void => {
    const input = document.querySelector<HTMLInputElement | HTMLTextAreaElement>(`#field-${name}`)
    const text = String(values[name] ?? '')
    const [from, to] = [input?.selectionStart ?? text.length, input?.selectionEnd ?? text.length]
    const placeholder = `{{${chosen}}}`
    change(name, (text.slice(0, from) + placeholder + text.slice(to)) as Value)
    const cursor = from + placeholder.length
    // Once the text is there.
    requestAnimationFrame(() => {
      input?.focus()
      input?.setSelectionRange(cursor, cursor)
    })
  }
  return (
    <div class={`placeholders wide ${name}`}>
      {usual}
      <select
        aria-label={say('placeholder_add')}
        value=""
        onChange={({ currentTarget }) => {
          insert(currentTarget.value)
          currentTarget.value = ''
        }}
      >
        <option value="">{say('placeholder_add')}</option>
        {choices.map(([each, words]) => (
          <option key={each} value={each}>
            {words}
          </option>
        ))}
      </select>
    </div>
  )
}

function worded(say: ConsoleSay, names: readonly string[]): Choices {
  return names.map((name) => {
    const words = named(say, 'placeholder', name)
    return [name, words === name ? named(say, 'field', name) : words] as const
  })
}
