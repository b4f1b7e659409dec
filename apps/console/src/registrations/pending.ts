import { useEffect } from 'preact/hooks'
import { declaredOf } from '../declared/declared.ts'
import { client } from '../server/server.ts'
import { may } from '../session/session.ts'
import { useConsole } from '../view/console.ts'
import { useLoaded } from '../view/loaded.ts'

/** The registrations of an event. */
export const REGISTRATIONS = '/api/v1/events/{event_id}/registrations.json'
/** How often the number is read again. */
const READ_EVERY_MS = 30_000
/** Registrations are counted up to this number. */
const MOST = 100

const decisions = new EventTarget()

/** To be called after a decision, so that the numbers follow at once. */
export function noteDecision(): void {
  decisions.dispatchEvent(new Event('decision'))
}

/** Whether who is signed in approves and rejects registrations. */
export function useMayDecide(): boolean {
  return may(useConsole().session, declaredOf(REGISTRATIONS).changes ?? 'owner')
}

/** How many registrations of an event wait for who is signed in, in words: up to `100+`. Undefined if none does, it is not known yet, or others decide. */
export function usePending(event_id: string): string | undefined {
  const mayDecide = useMayDecide()
  const { value = 0, reload } = useLoaded(
    async (signal) => (mayDecide ? countPending(event_id, signal) : 0),
    [event_id],
    READ_EVERY_MS,
  )
  useEffect(() => {
    decisions.addEventListener('decision', reload)
    return () => decisions.removeEventListener('decision', reload)
  }, [reload])
  return value === 0 ? undefined : value === MOST ? `${MOST}+` : String(value)
}

async function countPending(event_id: string, signal: AbortSignal): Promise<number> {
  const query = { registration_state: 'pending', per_page: MOST } as const
  const params = { path: { event_id }, query }
  return (await client.GET(REGISTRATIONS, { params, signal })).data.length
}
