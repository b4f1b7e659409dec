import { useLayoutEffect, useState } from 'preact/hooks'

/** The segments of the console's address: `#/events/66…/guests` is `['events', '66…', 'guests']`. */
export type Route = readonly string[]

/** Returns the route that an address names. */
export function routeOf(hash: string): Route {
  return hash
    .replace(/^#?\/?/, '')
    .split('/')
    .filter(Boolean)
    .map(decodeSegment)
}

/** Returns the address of a route. */
export function hrefOf(...segments: string[]): string {
  return `#/${segments.map(encodeURIComponent).join('/')}`
}

/** Goes to a route. */
export function goTo(...segments: string[]): void {
  location.hash = hrefOf(...segments)
}

/** The current route. The component renders again when it changes. */
export function useRoute(): Route {
  const [hash, setHash] = useState(location.hash)
  useLayoutEffect(() => {
    const follow = () => setHash(location.hash)
    addEventListener('hashchange', follow)
    // It may have changed since the component was rendered.
    follow()
    return () => removeEventListener('hashchange', follow)
  }, [])
  return routeOf(hash)
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
