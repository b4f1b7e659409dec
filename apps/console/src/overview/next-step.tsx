import { useEffect, useRef, useState } from 'preact/hooks'
import { hrefOf, type Route } from '../route/route.ts'
import { onChange } from '../server/server.ts'
import type { TextKey } from '../texts/words.ts'
import { useConsole } from '../view/console.ts'
import { useMayChange } from '../view/event.ts'
import { useLoaded } from '../view/loaded.ts'
import { eventOf } from '../view/navigation.tsx'
import { doerOf, type Progress, placeOf, readProgress, type Step, stepAt, steps } from './checklist.ts'

/** How long changes have to rest: an import makes many. */
const REST_MS = 400
/** How often a device is looked for that has tested itself: nobody tells this page. */
const DEVICES_MS = 5_000

/** After something was done at a job of an event: the next open step of its checklist, until another job is opened. */
export function NextStep({ route }: { route: Route }) {
  const { say } = useConsole()
  const mayChange = useMayChange()
  const event_id = eventOf(route)
  const [, , place] = route
  const { value, isAsked } = useProgressAfterChanges(event_id, place)
  if (event_id === undefined || !value || !isAsked) return null
  const next = nextStep(value, stepAt(place), (step) => mayChange(doerOf(step)))
  if (!next) return null
  return (
    <nav class="next" aria-label={say('checklist')}>
      <a href={hrefOf('events', event_id, ...placeOf(next, value, mayChange))}>
        {say('step_next', { step: say(`step_${next}` satisfies TextKey) })}
      </a>
    </nav>
  )
}

/** How far an event is, read after each change at one of its jobs. */
function useProgressAfterChanges(event_id: string | undefined, place: string | undefined) {
  const job = event_id === undefined || place === undefined ? undefined : `${event_id}/${place}`
  const here = useRef(job)
  here.current = job
  const [changed, setChanged] = useState<string>()
  const isAsked = job !== undefined && job === changed
  const known = useRef<Progress | undefined>(undefined)
  const waitsForDevice = isAsked && stepAt(place) === 'devices' && !known.current?.done.devices
  const { value, reload } = useLoaded(
    async (signal) => (isAsked && event_id !== undefined ? readProgress(event_id, signal) : undefined),
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

/** The first step that is open and may be done; none while the one at hand is open itself. */
function nextStep({ done }: Progress, atHand: Step | undefined, mayDo: (step: Step) => boolean): Step | undefined {
  if (atHand && !done[atHand]) return undefined
  return steps.find((step) => !done[step] && mayDo(step))
}
