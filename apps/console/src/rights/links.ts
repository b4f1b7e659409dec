/** The list of links: which guest category may enter at which check-in point. */
export const LINKS = '/api/v1/events/{event_id}/guest_category_accesspoints.json'

/** Whether a check-in point lets guests in: a right at an exit is none. */
export function isDoor({ direction }: { direction?: unknown }): boolean {
  return direction !== 'out'
}
