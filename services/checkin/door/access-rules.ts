import type { AccessRules } from '@gatehouse/door/decision.ts'
import { UTC_DAYS } from '@gatehouse/door/event-day.ts'
import type { Client } from '@gatehouse/proto/bus/client.ts'
import type { StoredAccesspoint } from '../accesspoints/store.ts'
import { type Link, termsOf } from '../links/store.ts'
import type { events } from '../permissions.ts'

/** Returns who may enter where by the check-in points and links of an event. Asks for its days only if a link has an allowance for each. */
export async function rulesOf(
  event_id: string,
  points: readonly StoredAccesspoint[],
  links: Link[],
  eventClient: Client<typeof events>,
): Promise<Omit<AccessRules, 'accesspoints'>> {
  const hasDays = links.some(({ period }) => period === 'day')
  return {
    links: termsOf(links),
    exits: new Set(points.flatMap(({ _id, direction }) => (direction === 'out' ? [_id] : []))),
    areaOf: new Map(points.flatMap(({ _id, area_id }) => (area_id === null ? [] : [[_id, area_id] as const]))),
    day: hasDays ? await eventClient.day_rule({ body: { event_id } }) : UTC_DAYS,
  }
}
