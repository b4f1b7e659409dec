import { declaredOf } from '../declared/declared.ts'
import { Form } from '../form/form.tsx'
import type { PageProps } from '../resources/resource.ts'
import { goTo } from '../route/route.ts'
import { type Item, post, read } from '../server/server.ts'
import { useConsole } from '../view/console.ts'
import { useLoaded } from '../view/loaded.ts'
import { Problem } from '../view/problem.tsx'
import { Skeleton } from '../view/skeleton.tsx'

const EVENTS = '/api/v1/events.json'
const EVENT = '/api/v1/events/{event_id}.json'
const COPY = '/api/v1/events/{event_id}/copy.json'
const FIELDS = ['title', 'start_date', 'end_date']

/** Copies an event with all but people, under another title and at another time. */
export function CopyPage({ params }: PageProps) {
  const { say } = useConsole()
  const { value, error, reload } = useLoaded((signal) => read<Item>(EVENT, params, {}, signal), [params.event_id])
  if (error && !value) return <Problem error={error} retry={reload} />
  if (!value) return <Skeleton />
  const title = say('event_copy_title', { title: String(value.title) })
  const { create = {} } = declaredOf(EVENTS)
  const fields = Object.fromEntries(Object.entries(create).filter(([name]) => FIELDS.includes(name)))
  return (
    <>
      <div class="head">
        <h1>{say('event_copy')}</h1>
      </div>
      <p>{say('event_copy_text')}</p>
      <p class="quiet">{say('event_copy_dates')}</p>
      <Form
        fields={fields}
        item={{ ...value, title }}
        names={{}}
        submit="event_copy"
        said={() => say('event_copied')}
        send={async (body, key) => {
          const copy = await post(COPY, params, { title, ...body }, key)
          goTo('events', String(copy._id))
        }}
      />
    </>
  )
}
