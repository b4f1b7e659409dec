import { useLayoutEffect, useMemo, useState } from 'preact/hooks'

/** The segments of the console's address: `#/events/66…/guests` is `['events', '66…', 'guests']`. */
export type Route = readonly string[]

/** Returns the route that an address names. */
export function routeOf(hash: string): Route {
  return hash
    .replace(/\?.*$/s, '')
    .replace(/^#?\/?/, '')
    .split('/')
    .filter(Boolean)
    .map(decodeSegment)
}

/** Returns the id of a route's event. */
export function eventOf(route: Route): string | undefined {
  return route[0] === 'events' && route[1] !== 'new' ? route[1] : undefined
}

/** Returns the address of a route. */
export function hrefOf(...segments: string[]): string {
  return `#/${segments.map(encodeURIComponent).join('/')}`
}

/** What an address says besides its route: `#/events/66…/guests?sort=last_name` has `{ sort: 'last_name' }`. */
export type AddressQuery = Readonly<Record<string, string>>

/** The address of the same route with another query. */
export function hrefWith(query: AddressQuery): string {
  const text = new URLSearchParams(query).toString()
  return `${location.hash.replace(/\?.*$/s, '')}${text && `?${text}`}`
}

/** Goes to a route. */
export function goTo(...segments: string[]): void {
  location.hash = hrefOf(...segments)
}

/** The current route. The component renders again when it changes. */
export function useRoute(): Route {
  return routeOf(useHash())
}

/** The query of the current address, and what replaces it. Going back leads to the page before, not to the query before. */
export function useQuery(): [query: AddressQuery, replace: (query: AddressQuery) => void] {
  const [, text = ''] = useHash().split('?')
  const query = useMemo(() => Object.fromEntries(new URLSearchParams(text)), [text])
  return [query, replaceQuery]
}

function replaceQuery(query: AddressQuery): void {
  history.replaceState(null, '', hrefWith(query))
  dispatchEvent(new HashChangeEvent('hashchange'))
}

function useHash(): string {
  const [hash, setHash] = useState(location.hash)
  useLayoutEffect(() => {
    const follow = () => setHash(location.hash)
    addEventListener('hashchange', follow)
    // It may have changed since the component was rendered.
    follow()
    return () => removeEventListener('hashchange', follow)
  }, [])
  return hash
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
