import { client } from '../server/server.ts'
import { useLoaded } from '../view/loaded.ts'

/** Reads what says how many badges an event has. */
export function useBadgeCounts(event_id: string) {
  return useLoaded(
    async (signal) => {
      const init = { params: { path: { event_id } }, signal }
      const [categories, templates, statistics] = await Promise.all([
        client.GET('/api/v1/events/{event_id}/guest_categories.json', init),
        client.GET('/api/v1/events/{event_id}/badge_templates.json', init),
        client.GET('/api/v1/events/{event_id}/statistics.json', init),
      ])
      return { categories: categories.data, templates: templates.data, counts: statistics.data.by_guest_category }
    },
    [event_id],
  )
}
