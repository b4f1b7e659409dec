import { languageOf } from '@gatehouse/proto/pages/languages.ts'
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Form, type Held } from '../form/form.tsx'
import { localTime, ownZone, type Value } from '../form/values.ts'
import { useGuestFields } from '../guests/guest-fields.ts'
import type { EditorProps } from '../resources/resource.ts'
import { useQuery } from '../route/route.ts'
import { textsIn } from '../texts/texts.ts'
import type { ConsoleSay, TextKey } from '../texts/words.ts'
import { useConsole } from '../view/console.ts'
import { useEvent } from '../view/event.ts'
import { useLoaded } from '../view/loaded.ts'
import { Skeleton } from '../view/skeleton.tsx'
import { useTimes } from '../view/times.ts'
import { useAskingReplies } from './asking-replies.tsx'
import { readCodeless } from './codeless.ts'
import { isOfCodes } from './codes.ts'
import { FOR_GUESTS, OF_INVITATIONS, PERSON, placeholderWords } from './placeholders.ts'

type Choices = readonly (readonly [name: string, words: string])[]

/** The form of a mailing: subject and message offer what they may contain. A new one may have a text for QR codes: then it goes to those who have none yet. */
export function MailingEditor(props: EditorProps) {
  const { say } = useConsole()
  const { event_id = '' } = props.params
  const [query] = useQuery()
  const [isForCodes, setForCodes] = useState(!props.item && isOfCodes(query))
  const example = useExample(props.item === undefined)
  const { value: codeless } = useLoaded(
    async (signal) => (isForCodes ? readCodeless(event_id, signal) : undefined),
    [event_id, isForCodes],
  )
  const guestFields = useGuestFields(event_id) ?? []
  const own: Choices = guestFields.map(({ key, label }) => [key, label])
  const subject = [...worded(say, PERSON), ...own]
  const { closes_at } = props.fields
  const send: EditorProps['send'] = async (body, key, act) => {
    const { audience } = codeless ?? (isForCodes ? await readCodeless(event_id) : {})
    await props.send({ ...body, ...(audience && { audience }) }, key, act)
  }
  if (isForCodes && !example) return <Skeleton />
  return (
    <MailEditor
      {...props}
      // It is shown only where it has to be there.
      fields={closes_at ? { ...props.fields, closes_at: { ...closes_at, required: true } } : props.fields}
      {...(isForCodes && { begin: example })}
      send={send}
      also={
        codeless && codeless.count !== '0'
          ? {
              words: codeless.count ? say('mailing_save_send_to', { count: codeless.count }) : say('mailing_save_send'),
              act: 'mailing_send' satisfies TextKey,
              says: say('mailing_saved_not_sent'),
            }
          : undefined
      }
      subject={subject}
      message={[...worded(say, FOR_GUESTS), ...subject]}
      offer={(held) =>
        !props.item && <ExampleOffer {...{ held, isForCodes, example }} onUse={() => setForCodes(true)} />
      }
      editors={{
        ongoing: (held, usual) => <UntilTheEnd held={held} usual={usual} />,
      }}
    />
  )
}

type Example = Record<'name' | 'subject' | 'message', string>

/** What most first mailings say, in the language of the event, as the rest of its e-mails; the name is for colleagues. */
function useExample(isWanted: boolean): Example | undefined {
  const { say } = useConsole()
  const { event, isAwaited } = useEvent()
  const load = async (): Promise<Example | undefined> => {
    if (!isWanted || isAwaited) return undefined
    // The console's own, where those cannot be read.
    const sayMail = await textsIn(languageOf([], undefined, String(event?.locale))).catch(() => say)
    const title = '{{event_title}}'
    return {
      name: say('mailing_example_name'),
      subject: sayMail('mailing_example_subject', { event: title }),
      message: sayMail('mailing_example', { event: title, name: '{{first_name}}', qrcode: '{{qrcode}}' }),
    }
  }
  return useLoaded(load, [isWanted, isAwaited]).value
}

interface OfferProps {
  held: Held
  /** Whether it was used. */
  isForCodes: boolean
  example: Example | undefined
  onUse: () => void
}

/** Fills that in, as long as there is no message; then it says to whom that goes. */
function ExampleOffer({ held: { values, change }, isForCodes, example, onUse }: OfferProps) {
  const { say } = useConsole()
  if (isForCodes) return <p class="quiet wide">{say('mailing_example_to')}</p>
  if (values.message !== '' || !example) return null
  const fill = (): void => {
    const { name, ...texts } = example
    if (values.name === '') change('name', name)
    for (const [field, text] of Object.entries(texts)) change(field, text)
    onUse()
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
  const { zone = ownZone() } = useTimes()
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
    <div class="placeholders wide">
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
  return names.map((name) => [name, placeholderWords(say, name)] as const)
}
