import { useEffect, useLayoutEffect } from 'preact/hooks'
import { goTo, routeOf } from '../route/route.ts'

/** Asks whether to leave, and goes if someone says so. */
type Ask = (go: () => void) => void

/** Views that have something to lose. */
const holding = new Set<symbol>()
let ask: Ask | undefined
let last = location.hash

addEventListener(
  'hashchange',
  (event) => {
    const to = location.hash
    const isSame = routeOf(to).join('/') === routeOf(last).join('/')
    if (isSame || holding.size === 0 || !ask) {
      last = to
      return
    }
    // Nobody else hears of it: the page stays as it is until someone says otherwise.
    event.stopImmediatePropagation()
    history.replaceState(null, '', last || location.pathname)
    ask(() => {
      holding.clear()
      location.hash = to
    })
  },
  true,
)

/** Who asks, from now on, until the function that it returns is called. */
export function askBy(asking: Ask): () => void {
  ask = asking
  return () => {
    ask = undefined
  }
}

/** Goes to a route without asking: what was typed is about something that is no more. */
export function leaveFor(...segments: string[]): void {
  holding.clear()
  goTo(...segments)
}

/** The browser asks before the console is left, and the console before another page of it is shown, as long as there is something to lose. */
export function useAskBeforeLeaving(isNeeded: boolean, isNeededWithin = isNeeded): void {
  useEffect(() => {
    if (!isNeeded) return undefined
    const asking = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', asking)
    return () => removeEventListener('beforeunload', asking)
  }, [isNeeded])
  // A page that was saved leads to the next one at once.
  useLayoutEffect(() => {
    if (!isNeededWithin) return undefined
    const holder = Symbol('holder')
    holding.add(holder)
    return () => holding.delete(holder)
  }, [isNeededWithin])
}
