import { useCallback, useEffect, useState } from 'preact/hooks'
import { asRefusal, type GatehouseError } from '../server/server.ts'

/** What a view has loaded, or why it has not. What it had before a reload which failed stays. */
export interface Loaded<Value> {
  value?: Value
  error?: GatehouseError
  reload: () => void
}

/** Loads a value, again when one of `inputs` changes; an answer to earlier ones is dropped. */
export function useLoaded<Value>(
  load: (signal: AbortSignal) => Promise<Value>,
  inputs: readonly unknown[],
): Loaded<Value> {
  const [state, setState] = useState<{ value?: Value; error?: GatehouseError }>({})
  const [round, setRound] = useState(0)
  useEffect(() => {
    const stop = new AbortController()
    setState(({ value }) => (round > 0 && value !== undefined ? { value } : {}))
    load(stop.signal).then(
      (value) => stop.signal.aborted || setState({ value }),
      (error) => stop.signal.aborted || setState((before) => ({ ...before, error: asRefusal(error) })),
    )
    return () => stop.abort()
  }, [...inputs, round])
  return { ...state, reload: useCallback(() => setRound((before) => before + 1), []) }
}
