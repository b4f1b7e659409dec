import { dotted } from '@gatehouse/proto/pages/direction.ts'
import { declaredOf } from '../declared/declared.ts'
import type { PageProps } from '../resources/resource.ts'
import { guests } from '../resources/resources.ts'
import { LINKS } from '../rights/limits.ts'
import { hrefOf } from '../route/route.ts'
import { client, type Item, read } from '../server/server.ts'
import type { TextKey } from '../texts/words.ts'
import { useConsole } from '../view/console.ts'
import { useMayChange } from '../view/event.ts'
import { Icon } from '../view/icon.tsx'
import { useLoaded } from '../view/loaded.ts'
import { Problem } from '../view/problem.tsx'
import { Skeleton } from '../view/skeleton.tsx'
import { useTimes } from '../view/times.ts'
import { Attention } from './attention.tsx'

/** How often the counts are read again. */
const READ_EVERY_MS = 15_000

/** What the page knows of an event. */
interface Overview {
  event: Item
  statistics: Item
  /** Whether each step of the checklist is done, in its order. */
  done: Record<Step, boolean>
  /** The steps at whose page there is nothing yet. */
  empty: ReadonlySet<Step>
}

type Step = 'date' | 'categories' | 'points' | 'rights' | 'guests' | 'codes' | 'devices' | 'open'

/** What a guest shows at the door, as the text of a mailing names it. */
const CODE = /\{\{(qrcode|badge)\}\}/

/** The page on which each step is done. */
const PLACES: Record<Step, string[]> = {
  date: ['settings'],
  categories: ['guest_categories'],
  points: ['accesspoints'],
  rights: ['rights'],
  guests: ['guests'],
  codes: ['mailings'],
  devices: ['devices'],
  open: ['live'],
}

/** Where an event stands: what is left to be done, the counts, and what needs attention. */
export function OverviewPage({ params }: PageProps) {
  const { say, locale } = useConsole()
  const times = useTimes()
  const event_id = params.event_id ?? ''
  const { value, error, reload } = useLoaded((signal) => overviewOf(event_id, signal), [event_id], READ_EVERY_MS)
  if (error && !value) return <Problem error={error} retry={reload} />
  if (!value) return <Skeleton />
  const { event, statistics, done, empty } = value
  const number = new Intl.NumberFormat(locale)
  const start = event.start_date ? times.at(String(event.start_date), String(event.timezone)) : ''
  const facts = dotted([start, event.location as string | null])
  return (
    <>
      <div class="head">
        <h1>{String(event.title)}</h1>
        {facts !== '' && <span class="quiet">{facts}</span>}
      </div>
      <dl class="tiles">
        {(['guest_count', 'checked_in_guest_count', 'inside_count', 'person_count'] as const).map((name) => (
          <div key={name}>
            <dt>{say(`overview_${name}`)}</dt>
            <dd>{number.format(Number(statistics[name]))}</dd>
            <dd class="hint">{say(`overview_${name}_hint`)}</dd>
          </div>
        ))}
      </dl>
      <div class="panels">
        <Checklist {...{ event_id, done, empty }} />
        <Attention event_id={event_id} />
      </div>
    </>
  )
}

/** The steps from an empty event to an open door. They tick themselves. Where a list is empty, a step leads to the form of its first item. */
function Checklist({ event_id, done, empty }: { event_id: string } & Pick<Overview, 'done' | 'empty'>) {
  const { say } = useConsole()
  const mayChange = useMayChange()
  const placeOf = (step: Step): string[] => {
    const place = PLACES[step]
    if (!empty.has(step)) return place
    const { creates = 'owner' } = declaredOf(`/api/v1/events/{event_id}/${place.join('/')}.json`)
    return mayChange(creates) ? [...place, 'new'] : place
  }
  return (
    <section class="panel">
      <h2>{say('checklist')}</h2>
      <ol class="checklist">
        {(Object.keys(PLACES) as Step[]).map((step) => (
          <li key={step} class={done[step] ? 'done' : ''}>
            <span class="mark" role="img" aria-label={say(done[step] ? 'step_done' : 'step_left')}>
              {done[step] && <Icon name="done" />}
            </span>
            <a href={hrefOf('events', event_id, ...placeOf(step))}>{say(`step_${step}` satisfies TextKey)}</a>
          </li>
        ))}
      </ol>
      {!done.guests && mayChange(guests.creates) && (
        <p>
          <a href={hrefOf('events', event_id, 'bring')}>{say('bring_title')}</a>
        </p>
      )}
    </section>
  )
}

async function overviewOf(event_id: string, signal: AbortSignal): Promise<Overview> {
  const params = { event_id }
  const list = (name: string, query = {}) =>
    read<Item[]>(`/api/v1/events/{event_id}/${name}.json`, params, query, signal)
  const [{ data: event }, { data: statistics }, categories, points, devices, links, sent] = await Promise.all([
    client.GET('/api/v1/events/{event_id}.json', { params: { path: params }, signal }),
    client.GET('/api/v1/events/{event_id}/statistics.json', { params: { path: params }, signal }),
    list('guest_categories'),
    list('accesspoints'),
    list('devices'),
    read<Item[]>(LINKS, params, { per_page: 1 }, signal),
    list('mailings'),
  ])
  // There are several ways to the first guests: the list names them.
  const lists = { categories, points, devices, codes: sent }
  return {
    event,
    statistics,
    empty: new Set((Object.keys(lists) as (keyof typeof lists)[]).filter((step) => lists[step].length === 0)),
    done: {
      date: event.start_date !== null,
      categories: categories.length > 0,
      points: points.length > 0,
      rights: links.length > 0,
      guests: event.guest_count > 0,
      codes: await hasSentCodes(sent, () => list('guests', { mailed: true, per_page: 1 })),
      devices: devices.some(({ self_test }) => self_test),
      open: statistics.checked_in_guest_count > 0,
    },
  }
}

/**
 * Whether some guest was sent a code: by a mailing, or by itself. Guests tell only that an e-mail went to them, so they are asked where no mailing
 * without a code can have been that.
 */
async function hasSentCodes(mailings: readonly Item[], readMailed: () => Promise<Item[]>): Promise<boolean> {
  const started = mailings.filter(({ started_at }) => started_at !== null)
  if (started.some(({ message }) => CODE.test(String(message)))) return true
  return started.length === 0 && (await readMailed()).length > 0
}
