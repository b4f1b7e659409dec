import { dotted } from '@gatehouse/proto/pages/direction.ts'
import type { ComponentChildren } from 'preact'
import type { PageProps } from '../resources/resource.ts'
import { guests } from '../resources/resources.ts'
import { hrefOf } from '../route/route.ts'
import type { Item } from '../server/server.ts'
import type { TextKey } from '../texts/words.ts'
import { useConsole } from '../view/console.ts'
import { isArchived, useEvent, useMayChange } from '../view/event.ts'
import { Icon } from '../view/icon.tsx'
import { useLoaded } from '../view/loaded.ts'
import { Problem } from '../view/problem.tsx'
import { Skeleton } from '../view/skeleton.tsx'
import { useTimes } from '../view/times.ts'
import { Attention } from './attention.tsx'
import { addressOf, doerOf, isOptional, type Progress, readProgress, type Step, steps } from './checklist.ts'

/** How often the counts are read again. */
const READ_EVERY_MS = 15_000

/** Where an event stands: the counts, and what is left to be done or needs attention unless it is archived. */
export function OverviewPage({ params }: PageProps) {
  const { event: known } = useEvent()
  const event_id = params.event_id ?? ''
  const mayChange = useMayChange()
  const { value, error, reload } = useLoaded(
    (signal) => readProgress(event_id, mayChange, signal),
    [event_id],
    READ_EVERY_MS,
  )
  if (error && !value) return <Problem error={error} retry={reload} />
  // What the event is called is known before how far it is.
  const event = value?.event ?? known
  return (
    <>
      {event && <Head event={event} />}
      {value ? <Standing event_id={event_id} progress={value} /> : <Skeleton />}
    </>
  )
}

function Head({ event }: { event: Item }) {
  const times = useTimes()
  const start = event.start_date ? times.at(String(event.start_date), String(event.timezone)) : ''
  const facts = dotted([start, event.location as string | null])
  return (
    <div class="head">
      <h1>{String(event.title)}</h1>
      {facts !== '' && <span class="quiet">{facts}</span>}
    </div>
  )
}

function Standing({ event_id, progress }: { event_id: string; progress: Progress }) {
  const { say, locale } = useConsole()
  const { event, statistics, done } = progress
  const number = new Intl.NumberFormat(locale)
  const areas = statistics.by_area as { inside_count: number }[]
  const inAreas = areas.reduce((sum, { inside_count }) => sum + inside_count, 0)
  return (
    <>
      <dl class="tiles">
        {(['guest_count', 'checked_in_guest_count', 'inside_count', 'person_count'] as const).map((name) => (
          <div key={name}>
            <dt>{say(`overview_${name}`)}</dt>
            <dd>{number.format(Number(statistics[name]))}</dd>
            <dd class="hint">
              {name === 'inside_count' && areas.length > 0 ? (
                <>
                  {say('overview_inside_count_hint_areas')}
                  <br />
                  <a href={hrefOf('events', event_id, 'areas')}>{say('overview_in_areas', { count: inAreas })}</a>
                </>
              ) : (
                say(`overview_${name}_hint`)
              )}
            </dd>
          </div>
        ))}
      </dl>
      {!isArchived(event) && (
        <div class="panels">
          <Checklist event_id={event_id} progress={progress} />
          <Attention event_id={event_id} areCodesSent={done.codes} />
        </div>
      )}
    </>
  )
}

/** The steps from an empty event to an open door. They tick themselves, and lead to where they are done whoever may do them. */
function Checklist({ event_id, progress }: { event_id: string; progress: Progress }) {
  const { say, locale } = useConsole()
  const mayChange = useMayChange()
  const { done, locked } = progress
  const words = (step: Step): string => say(`step_${step}` satisfies TextKey)
  return (
    <section class="panel">
      <h2>{say('checklist')}</h2>
      <ol class="checklist">
        {steps.map((step) => (
          <li key={step} class={done[step] ? 'done' : ''}>
            <span class="mark" role="img" aria-label={say(done[step] ? 'step_done' : 'step_left')}>
              {done[step] && <Icon name="done" />}
            </span>
            <StepWords
              name={words(step)}
              href={mayChange(doerOf(step)) ? addressOf(event_id, step, progress) : undefined}
            >
              {step === 'rights' && locked.length > 0 && (
                <div class="quiet">
                  {say('step_rights_lacking', { names: new Intl.ListFormat(locale).format(locked) })}
                </div>
              )}
            </StepWords>
            {isOptional(step) && !done[step] && <span class="quiet">{say('step_optional')}</span>}
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

interface StepProps {
  name: string
  /** Where it is done; undefined for those who may not do it. */
  href: string | undefined
  /** What it lacks, below its name. */
  children: ComponentChildren
}

function StepWords({ name, href, children }: StepProps) {
  const named = href === undefined ? <span>{name}</span> : <a href={href}>{name}</a>
  return children ? (
    <div>
      {named}
      {children}
    </div>
  ) : (
    named
  )
}
