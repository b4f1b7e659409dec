import { guestWithId } from '../check-ins/guest-names.ts'
import type { CellProps } from '../resources/resource.ts'
import { hrefOf } from '../route/route.ts'
import type { Item } from '../server/server.ts'
import { Nothing } from '../view/cell.tsx'
import { useConsole } from '../view/console.ts'
import { useLoaded } from '../view/loaded.ts'

/** The guest of a lead by name; the code that was scanned where the guest is gone. */
export function LeadGuest({ item }: { item: Item }) {
  const guest = useGuest(item)
  return <>{guest ? guest.name : String(item.guest_uid)}</>
}

/** The same, with a link to the guest. */
export function LeadGuestLink({ item }: { item: Item }) {
  const guest = useGuest(item)
  if (!guest) return <span class="quiet">{String(item.guest_uid)}</span>
  return <a href={hrefOf('events', String(item.event_id), 'guests', guest._id)}>{guest.name}</a>
}

function useGuest({ event_id, guest_id }: Item) {
  const [event, guest] = [String(event_id), String(guest_id)]
  return useLoaded(() => guestWithId(event, guest), [event, guest]).value
}

/** The exhibitor of a lead, with a link. */
export function LeadExhibitor({ item, names }: CellProps) {
  const id = String(item.exhibitor_id)
  return <a href={hrefOf('events', String(item.event_id), 'exhibitors', id)}>{names?.exhibitor_id?.get(id) ?? '…'}</a>
}

/** How a stand has rated a lead. */
export function LeadRating({ item: { rating } }: { item: Item }) {
  const { say } = useConsole()
  if (typeof rating !== 'number') return <Nothing />
  return <>{say('rating_of', { rating })}</>
}

/** What apps have noted of a lead: texts, or objects of their own. */
export function LeadComments({ item: { comments } }: { item: Item }) {
  if (!Array.isArray(comments) || comments.length === 0) return <Nothing />
  return <>{comments.map((each) => (typeof each === 'string' ? each : JSON.stringify(each))).join('\n')}</>
}

/** How many leads an exhibitor has, with a link to them. */
export function LeadCount({ item }: { item: Item }) {
  const { locale } = useConsole()
  return (
    <a href={leadsHref(String(item.event_id), String(item._id))}>{Number(item.lead_count).toLocaleString(locale)}</a>
  )
}

/** The address of the leads of an exhibitor. */
export function leadsHref(event_id: string, exhibitor_id: string): string {
  return `${hrefOf('events', event_id, 'connections')}?${new URLSearchParams({ exhibitor_id })}`
}
