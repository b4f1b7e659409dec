import { useLayoutEffect, useState } from 'preact/hooks'

/** The segments of the place in the console: `#/events/66…/guests` is `['events', '66…', 'guests']`. */
export type Place = readonly string[]

/** The place that the address names. */
export function placeOf(hash: string): Place {
  return hash
    .replace(/^#?\/?/, '')
    .split('/')
    .filter(Boolean)
    .map(decodeSegment)
}

/** The address of a place. */
export function hrefOf(...segments: string[]): string {
  return `#/${segments.map(encodeURIComponent).join('/')}`
}

/** Goes to a place. */
export function goTo(...segments: string[]): void {
  location.hash = hrefOf(...segments)
}

/** The place, which a component follows. */
export function usePlace(): Place {
  const [hash, setHash] = useState(location.hash)
  useLayoutEffect(() => {
    const follow = () => setHash(location.hash)
    addEventListener('hashchange', follow)
    // It may have changed since the component was rendered.
    follow()
    return () => removeEventListener('hashchange', follow)
  }, [])
  return placeOf(hash)
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
