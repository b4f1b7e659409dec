import { useLayoutEffect } from 'preact/hooks'

/** Calls `leave` at Escape, if there is something to leave. A search field with text is cleared first, as browsers do. */
export function useEscape(leave: (() => void) | undefined): void {
  // At once: an effect after the next paint would miss keys until then.
  useLayoutEffect(() => {
    if (!leave) return
    const listen = ({ key, target }: KeyboardEvent) => {
      const isClearing = target instanceof HTMLInputElement && target.type === 'search' && target.value !== ''
      if (key === 'Escape' && !isClearing) leave()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [leave])
}
