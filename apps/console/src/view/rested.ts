import { useEffect, useState } from 'preact/hooks'
import { asRefusal, type GatehouseError } from '../server/server.ts'

/** How long typing has to rest before something is asked about what was typed. */
const REST_MS = 250

/** What was found last of what is typed, and why nothing was found the last time, if so. */
export interface Rested<Found> {
  found?: Found
  error?: GatehouseError
}

/** Asks about what is being typed once it has rested; what was found before stays until there is more. An answer to earlier texts is dropped. */
export function useRested<Found>(ask: (signal: AbortSignal) => Promise<Found>, typed: unknown): Rested<Found> {
  const [state, setState] = useState<Rested<Found>>({})
  useEffect(() => {
    const stop = new AbortController()
    const timer = setTimeout(() => {
      ask(stop.signal).then(
        (found) => !stop.signal.aborted && setState({ found }),
        (error) => !stop.signal.aborted && setState((before) => ({ ...before, error: asRefusal(error) })),
      )
    }, REST_MS)
    return () => {
      stop.abort()
      clearTimeout(timer)
    }
  }, [JSON.stringify(typed)])
  return state
}
