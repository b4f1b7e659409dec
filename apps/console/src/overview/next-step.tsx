import { useEffect, useRef, useState } from 'preact/hooks'
import type { Role } from '../declared/declared.ts'
import { eventOf, type Route } from '../route/route.ts'
import { onChange } from '../server/server.ts'
import type { TextKey } from '../texts/words.ts'
import { useConsole } from '../view/console.ts'
import { useMayChange } from '../view/event.ts'
import { useLoaded } from '../view/loaded.ts'
import { addressOf, doerOf, isOptional, type Progress, readProgress, type Step, stepAt, steps } from './checklist.ts'

/** How long changes have to rest: an import makes many. */
const REST_MS = 400
/** How often a device is looked for that has tested itself: nobody tells this page. */
const DEVICES_MS = 5_000

export interface NextStepProps {
  route: Route
}

/** After something was done at a job of an event: the next open step of its checklist, until another job is opened. Beside one that is optional stands the next one that is not. */
export function NextStep({ route }: NextStepProps) {
  const { say } = useConsole()
  const mayChange = useMayChange()
  const event_id = eventOf(route)
  const [, , place] = route
  const { value, isAsked } = useProgressAfterChanges(event_id, place, mayChange)
  if (event_id === undefined || !value || !isAsked) return null
  const next = nextSteps(value, stepAt(place), (step) => mayChange(doerOf(step)))
  if (next.length === 0) return null
  const words = (step: Step): string => {
    const named = say(`step_${step}` satisfies TextKey)
    return isOptional(step) ? `${named} (${say('step_optional')})` : named
  }
  return (
    <nav class="next" aria-label={say('checklist')}>
      {next.map((step, index) => (
        <a key={step} href={addressOf(event_id, step, value)}>
          {index === 0 ? say('step_next', { step: words(step) }) : words(step)}
        </a>
      ))}
    </nav>
  )
}

/** How far an event is, read after each change at one of its jobs. */
function useProgressAfterChanges(
  event_id: string | undefined,
  place: string | undefined,
  mayChange: (least: Role) => boolean,
) {
  const job = event_id === undefined || place === undefined ? undefined : `${event_id}/${place}`
  const here = useRef(job)
  here.current = job
  const [changed, setChanged] = useState<string>()
  const isAsked = job !== undefined && job === changed
  const known = useRef<Progress | undefined>(undefined)
  const waitsForDevice = isAsked && stepAt(place) === 'devices' && !known.current?.done.devices
  const { value, reload } = useLoaded(
    async (signal) => (isAsked && event_id !== undefined ? readProgress(event_id, mayChange, signal) : undefined),
    [isAsked, job],
    waitsForDevice ? DEVICES_MS : undefined,
  )
  known.current = value
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = onChange(() => {
      clearTimeout(timer)
      timer = setTimeout(() => {
        setChanged(here.current)
        reload()
      }, REST_MS)
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [reload])
  return { value, isAsked }
}

/**
 * The first step that is open and may be done, and before it an optional one that comes after the one at hand; none while the one at hand is open
 * itself, unless an event may well do without it and nobody has begun it.
 */
function nextSteps({ done, begun }: Progress, atHand: Step | undefined, mayDo: (step: Step) => boolean): Step[] {
  if (atHand && !done[atHand] && (begun.has(atHand) || !isOptional(atHand))) return []
  const open = steps.filter((step) => !done[step] && mayDo(step))
  const needed = open.findIndex((step) => !isOptional(step))
  const passed = atHand ? steps.indexOf(atHand) : steps.length
  const optional = open.find((step) => isOptional(step) && steps.indexOf(step) > passed)
  const next = needed < 0 ? open : open.slice(0, needed + 1)
  return next.filter((step) => step === optional || !isOptional(step))
}
