import { useCallback, useEffect, useState } from 'preact/hooks'
import { asRefusal, type GatehouseError } from '../server/server.ts'

/** What a view has loaded, or why it has not. What it had before a reload that failed stays. */
export interface Loaded<Value> {
  value?: Value
  error?: GatehouseError
  reload: () => void
}

/**
 * Loads a value, again when one of `inputs` changes; an answer to earlier ones is dropped. With `everyMs` it is loaded again that long after each
 * answer: one that takes longer is not given up for the next.
 */
export function useLoaded<Value>(
  load: (signal: AbortSignal) => Promise<Value>,
  inputs: readonly unknown[],
  everyMs?: number,
): Loaded<Value> {
  const [state, setState] = useState<{ value?: Value; error?: GatehouseError }>({})
  const [round, setRound] = useState(0)
  const reload = useCallback(() => setRound((before) => before + 1), [])
  useEffect(() => {
    const stop = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    setState(({ value }) => (round > 0 && value !== undefined ? { value } : {}))
    const settle: typeof setState = (next) => {
      if (stop.signal.aborted) return
      setState(next)
      if (everyMs !== undefined) timer = setTimeout(reload, everyMs)
    }
    load(stop.signal).then(
      (value) => settle({ value }),
      (error) => settle((before) => ({ ...before, error: asRefusal(error) })),
    )
    return () => {
      stop.abort()
      clearTimeout(timer)
    }
  }, [...inputs, round])
  return { ...state, reload }
}
