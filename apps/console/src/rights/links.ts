/** The list of links: which guest category may enter at which check-in point. */
export const LINKS = '/api/v1/events/{event_id}/guest_category_accesspoints.json'
