import { useEffect, useState } from 'preact/hooks'
import { pauseFor } from '../../../../clients/typescript/retrying.ts'
import { asRefusal, client, type Item, type PathParams, read } from '../server/server.ts'

const GUEST = '/api/v1/events/{event_id}/guests/{id}.json'
const CATEGORY = '/api/v1/events/{event_id}/guest_categories/{id}.json'
/** The first pause between looking for a badge, and the longest. */
const PAUSE_MS = { first: 500, longest: 20_000 }

/** What is known of the badge of a guest: its address, that it is being made, or that there is none. */
export type BadgeLookup = { url: string } | 'coming' | undefined

/** The badge of a guest: looked for with growing pauses until it is made, or the page is left. */
export function useBadge(params: PathParams, item: Item): BadgeLookup {
  const [badge, setBadge] = useState<BadgeLookup>(badgeOf(item))
  useEffect(() => {
    const now = badgeOf(item)
    setBadge(now)
    if (now) return undefined
    const stop = new AbortController()
    void follow(params, String(item.guest_category_id), setBadge, stop.signal)
    return () => stop.abort()
  }, [item])
  return badge
}

function badgeOf({ badge_url }: Item): BadgeLookup {
  return typeof badge_url === 'string' ? { url: badge_url } : undefined
}

async function follow(params: PathParams, category: string, show: (badge: BadgeLookup) => void, signal: AbortSignal) {
  let isWanted: boolean | undefined
  for (let pause = PAUSE_MS.first; !signal.aborted; pause = Math.min(2 * pause, PAUSE_MS.longest)) {
    try {
      const path = { event_id: params.event_id ?? '', id: category }
      isWanted ??= (await client.GET(CATEGORY, { params: { path }, signal })).data.badge_enabled === true
      if (!isWanted) return
      const badge = badgeOf(await read<Item>(GUEST, params, {}, signal))
      if (signal.aborted) return
      show(badge ?? 'coming')
      if (badge) return
    } catch (problem) {
      // What the server does not answer now it may answer later.
      const { status } = asRefusal(problem)
      if (signal.aborted || [401, 403, 404].includes(status)) return
    }
    await pauseFor(pause, signal).catch(() => {})
  }
}
