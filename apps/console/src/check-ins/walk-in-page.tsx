import { dotted } from '@gatehouse/proto/pages/direction.ts'
import { useEffect, useRef, useState } from 'preact/hooks'
import { declaredOf } from '../declared/declared.ts'
import { Form } from '../form/form.tsx'
import type { FormFields, Values } from '../form/values.ts'
import type { PageProps } from '../resources/resource.ts'
import { guests } from '../resources/resources.ts'
import { isDoor, LINKS } from '../rights/links.ts'
import { hrefOf } from '../route/route.ts'
import { client, type Item, post } from '../server/server.ts'
import { useConsole } from '../view/console.ts'
import { useLoaded } from '../view/loaded.ts'
import { MakeFirst } from '../view/make-first.tsx'
import { nameOf, useNames } from '../view/names.ts'
import { Problem } from '../view/problem.tsx'
import { Skeleton } from '../view/skeleton.tsx'
import { useTimes } from '../view/times.ts'
import { CheckInResult } from './cells.tsx'
import { checkInWords, type PointNames } from './refusal.ts'
import { checkIns } from './resource.ts'

const WALK_INS = '/api/v1/events/{event_id}/walk_ins.json'
const CATEGORIES = '/api/v1/events/{event_id}/guest_categories.json'
const POINT = '/api/v1/events/{event_id}/accesspoints/{id}.json'
const POINTS = '/api/v1/events/{event_id}/accesspoints.json'
/** What is asked of a guest at the door. */
const GUEST = ['guest_category_id', 'first_name', 'last_name', 'company_name', 'email', 'phone_number']

/** What stays chosen for the next guest. */
type Place = Record<'accesspoint_id' | 'guest_category_id', string>

/** Adds a guest who is on no list, and checks the guest in (docs/interface.md 8.23). The next one can be added at once. */
export function WalkInPage({ params }: PageProps) {
  const { say } = useConsole()
  const event_id = params.event_id ?? ''
  const points = useNames(['accesspoint_id'], { event_id })?.accesspoint_id
  const {
    value: categories,
    error,
    reload,
  } = useLoaded(async () => {
    const all = (await client.GET(CATEGORIES, { params: { path: { event_id } } })).data
    return new Map(all.flatMap((each) => (each.walk_in_enabled ? [[each._id, each.name] as const] : [])))
  }, [event_id])
  return (
    <>
      <div class="head">
        <h1>{say('walk_in_title')}</h1>
      </div>
      <p class="quiet">{say('walk_in_text')}</p>
      {error && <Problem error={error} retry={reload} />}
      {!error && !(points && categories) && <Skeleton />}
      {categories?.size === 0 && (
        <div class="notice">
          <p>{say('walk_in_none')}</p>
          <a href={hrefOf('events', event_id, 'guest_categories')}>{say('page_guest_categories')}</a>
        </div>
      )}
      {points?.size === 0 && <MakeFirst paths={[POINTS]} params={params} />}
      {points && categories && points.size > 0 && categories.size > 0 && (
        <WalkIns {...{ event_id, points, categories }} />
      )}
    </>
  )
}

interface Props {
  event_id: string
  points: ReadonlyMap<string, string>
  categories: ReadonlyMap<string, string>
}

function WalkIns({ event_id, points, categories }: Props) {
  const { say } = useConsole()
  const times = useTimes()
  const [place, setPlace] = useState<Place>({
    accesspoint_id: [...points.keys()][0] ?? '',
    guest_category_id: [...categories.keys()][0] ?? '',
  })
  const [added, setAdded] = useState<Item[]>([])
  const section = useRef<HTMLElement>(null)
  const outcome = useRef<string>(undefined)
  // The next guest's name is typed at once.
  useEffect(() => {
    if (added.length > 0) section.current?.querySelector<HTMLElement>('#field-first_name')?.focus()
  }, [added])
  const send = async (body: Item, key: string): Promise<void> => {
    const chosen = { ...place, ...body }
    const answer = await post(WALK_INS, { event_id }, chosen, key)
    setPlace({ accesspoint_id: chosen.accesspoint_id, guest_category_id: chosen.guest_category_id })
    const words = checkInWords(say, times, answer.access_control as Item, points)
    outcome.current = dotted([nameOf(answer.guest as Item), ...words])
    setAdded((before) => [answer, ...before])
  }
  return (
    <section ref={section} class="walk-ins">
      <div class="rows">
        {added.map(({ guest, access_control }) => (
          <Added
            key={String((guest as Item)._id)}
            {...{ event_id }}
            guest={guest as Item}
            checkIn={access_control as Item}
            points={points}
          />
        ))}
      </div>
      <Form
        key={added.length}
        fields={fieldsAt(place)}
        names={{ accesspoint_id: points, guest_category_id: categories }}
        submit="walk_in_title"
        hints={{ persons: 'walk_in_persons' }}
        editors={{
          guest_category_id: ({ values }, usual) => (
            <>
              {usual}
              <NoRight {...{ event_id, points, categories, values }} />
            </>
          ),
        }}
        said={() => outcome.current}
        send={send}
      />
    </section>
  )
}

/** Says so where guests of the chosen category would be added and then refused: the category alone gives the right (docs/interface.md 8.23). An exit lets out whoever may come in elsewhere. */
function NoRight({ event_id, points, categories, values }: Props & { values: Values }) {
  const { say } = useConsole()
  const [accesspoint_id, guest_category_id] = [String(values.accesspoint_id), String(values.guest_category_id)]
  const [point, category] = [points.get(accesspoint_id), categories.get(guest_category_id)]
  const { value: isRefused } = useLoaded(
    async (signal) => {
      if (point === undefined || category === undefined) return false
      const query = { guest_category_id, accesspoint_id, per_page: 1 }
      const one = { event_id, id: accesspoint_id }
      const [{ data: links }, { data: chosen }] = await Promise.all([
        client.GET(LINKS, { params: { path: { event_id }, query }, signal }),
        client.GET(POINT, { params: { path: one }, signal }),
      ])
      return links.length === 0 && isDoor(chosen)
    },
    [event_id, accesspoint_id, guest_category_id],
  )
  if (!isRefused || point === undefined || category === undefined) return null
  return (
    <section class="notice bad wide" role="status">
      <p>{say('walk_in_no_right', { category, point })}</p>
      <a href={hrefOf('events', event_id, 'rights')}>{say('page_rights')}</a>
    </section>
  )
}

interface AddedProps {
  event_id: string
  guest: Item
  checkIn: Item
  points: PointNames
}

function Added({ event_id, guest, checkIn, points }: AddedProps) {
  return (
    <span class="notice">
      <span>
        <a href={hrefOf('events', event_id, 'guests', String(guest._id))}>{nameOf(guest)}</a> ·{' '}
        <CheckInResult item={checkIn} names={{ accesspoint_id: points }} />
      </span>
    </span>
  )
}

function fieldsAt(place: Place): FormFields {
  const { create: ofGuest = {} } = declaredOf(guests.path)
  const { create: ofCheckIn = {} } = declaredOf(checkIns.path)
  const all = { ...ofGuest, ...ofCheckIn }
  return Object.fromEntries(
    ['accesspoint_id', ...GUEST, 'persons', 'message'].flatMap((name) => {
      const field = all[name]
      const initial = place[name as keyof Place]
      return field ? [[name, { ...field, ...(initial && { initial }) }] as const] : []
    }),
  )
}
