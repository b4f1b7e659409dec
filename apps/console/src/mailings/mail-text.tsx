import { filled, type NamedValues, PLACEHOLDER } from '@gatehouse/proto/pages/placeholders.ts'
import { metadataOf, useFieldsOfEvent } from '../guests/guest-fields.ts'
import type { CellProps } from '../resources/resource.ts'
import type { Item } from '../server/server.ts'
import { Nothing } from '../view/cell.tsx'
import { useConsole } from '../view/console.ts'
import { useEvent } from '../view/event.ts'
import { Bone } from '../view/skeleton.tsx'
import { useTimes } from '../view/times.ts'
import { FOR_GUESTS, OF_INVITATIONS, PERSON, placeholderWords } from './placeholders.ts'

const NAMES = [...new Set([...PERSON, ...FOR_GUESTS, ...OF_INVITATIONS])]
const DATES = { year: 'numeric', month: 'long', day: 'numeric', hour: 'numeric', minute: '2-digit' } as const

interface Props {
  text: string
  /** To whom it went; without one, what is each recipient's is named. */
  guest?: Item | undefined
}

/** A text of e-mails for people: with the values of the event, and with those of a guest, or their names, such as ‹First name›. */
export function MailText({ text, guest }: Props) {
  const { say } = useConsole()
  const { isAwaited } = useEvent()
  const ofEvent = useEventValues()
  if (isAwaited) return <Bone />
  const ofPeople = NAMES.map((name) => [name, guest ? String(guest[name] ?? '') : named(placeholderWords(say, name))])
  const known = filled(text, { ...Object.fromEntries(ofPeople), ...ofEvent })
  return known.search(PLACEHOLDER) < 0 ? known : <OwnFields text={known} guest={guest} />
}

/** The same for what is left: the guest fields of the event. */
function OwnFields({ text, guest }: Props) {
  const event_id = String(useEvent().event?._id ?? '')
  const fields = useFieldsOfEvent(event_id)
  if (!fields) return <Bone />
  const values = fields.map(({ key, label }) => [key, guest ? metadataOf(guest, key) : named(label)])
  return <>{filled(text, Object.fromEntries(values))}</>
}

function named(words: string): string {
  return `‹${words}›`
}

/** The values of the event, as its e-mails have them. */
function useEventValues(): NamedValues {
  const { event } = useEvent()
  const { clock } = useTimes()
  if (!event) return {}
  const { title, location, start_date, end_date } = event as Record<string, string | null>
  const [start, end] = [start_date, end_date].map((stamp) => (stamp ? Date.parse(stamp) : undefined))
  const format = clock({ ...DATES, timeZoneName: 'short' })
  const dates = start === undefined ? '' : format.formatRange(start, Math.max(start, end ?? start))
  return { event_title: title ?? '', event_location: location ?? '', event_dates: dates }
}

/** The subject of an item. */
export function SubjectCell({ item }: CellProps) {
  return item.subject ? <MailText text={String(item.subject)} /> : <Nothing />
}

/** The message of an item. */
export function MessageCell({ item }: CellProps) {
  return item.message ? (
    <span class="letter">
      <MailText text={String(item.message)} />
    </span>
  ) : (
    <Nothing />
  )
}
