import { hrefOf } from '../route/route.ts'

/** The table of those guests of an event who have no e-mail address, among those whom other filters find. */
export function withoutEmailHref(event_id: string, filters: Record<string, string> = {}): string {
  return `${hrefOf('events', event_id, 'guests')}?${new URLSearchParams({ has_email: 'false', ...filters })}`
}
