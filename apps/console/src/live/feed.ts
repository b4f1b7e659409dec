import type { components } from '../../../../clients/typescript/openapi.ts'

/** The exact counts of an event. */
export type Statistics = components['schemas']['Statistics']
/** A scan at a door. */
export type CheckIn = components['schemas']['AccessControl']

/** What a follower of an event is told. */
interface Follower {
  /** The counts as they are now: whatever was missed is in them. */
  onStatistics(statistics: Statistics): void
  onCheckIn(checkIn: CheckIn): void
  onDeletion(checkIn: CheckIn): void
  /** Check-ins may be missing between those before and those after; also while the server refuses the feed, which is tried again. */
  onGap(): void
  /** Whether the feed is open. */
  onState(isOpen: boolean): void
}

/** A browser gives up where the server refuses; the session or the server may be back later. */
const AGAIN_MS = 3_000
const OPEN = 'open'

/** Follows an event by its live feed until `stop` is called. A feed that ends begins again where it ended. */
export function follow(event_id: string, follower: Follower): { stop(): void } {
  let source: EventSource
  let again: ReturnType<typeof setTimeout> | undefined
  let isFirst = true
  const begin = (): void => {
    source = new EventSource(`/console/api/v1/events/${encodeURIComponent(event_id)}/live?statistics=true`)
    source.addEventListener(OPEN, () => follower.onState(true))
    source.addEventListener('statistics', ({ data }) => follower.onStatistics(JSON.parse(data)))
    source.addEventListener('check_in.created', ({ data }) => follower.onCheckIn(JSON.parse(data).data))
    source.addEventListener('check_in.deleted', ({ data }) => follower.onDeletion(JSON.parse(data).data))
    source.addEventListener('reset', () => follower.onGap())
    source.addEventListener('error', () => {
      follower.onState(false)
      // Otherwise the browser connects again by itself, and says what it had last.
      if (source.readyState !== EventSource.CLOSED) return
      follower.onGap()
      again = setTimeout(begin, AGAIN_MS)
    })
    // A new source does not know where the last one ended.
    if (!isFirst) source.addEventListener(OPEN, () => follower.onGap(), { once: true })
    isFirst = false
  }
  begin()
  return {
    stop: () => {
      clearTimeout(again)
      source.close()
    },
  }
}
