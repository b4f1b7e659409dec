import { flag, identifier, record } from './fields.ts'
import { LONGEST_MS } from './personal-data.ts'
import { resource } from './resource.ts'

/** How the guests service has each service delete what it holds of a deleted event (docs/adr/0007). */
export function eventDataOf(service: string) {
  return resource(`${service}.event_data`, 'event_data', {
    drop: {
      summary:
        'Deletes what the service holds of a deleted event, for a while: `is_done` tells whether nothing is left. May be repeated',
      longestMs: LONGEST_MS,
      body: record({ account_id: identifier(), event_id: identifier() }),
      reply: record({ is_done: flag() }),
    },
  })
}
