import { type Handlers, handlersOf, required } from '@gatehouse/proto/declaring/resource.ts'
import { zoneOf } from '@gatehouse/proto/declaring/time-zones.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import { isFound, queryWords } from '@gatehouse/proto/storage/search-words.ts'
import type { Dependencies } from '../dependencies.ts'
import { adopt } from './adopt.ts'
import { isArchived } from './archiving.ts'
import { ciphering } from './ciphering.ts'
import { copy } from './copy.ts'
import { withCounts, withCountsOfOne } from './counts.ts'
import { create } from './create.ts'
import { deleteEvent } from './delete.ts'
import type { events } from './resource.ts'
import { update } from './update.ts'

/** Returns the handlers of events. The gateway has already checked that the event of a path is the caller's. */
export function eventHandlers(dependencies: Dependencies): Handlers<typeof events> {
  return handlersOf<typeof events, Dependencies>(
    {
      async list(all, { caller, query }) {
        const { account_id, event_id } = required(caller)
        const words = queryWords(query.search ?? '')
        const events = await all.events.ofAccount(account_id, event_id)
        // Searched here and not in the database: an account has few events.
        return withCounts(
          all,
          events.filter(
            ({ title, organizer, archived_at }) =>
              isFound(words, title, organizer) &&
              (event_id !== undefined || (archived_at !== null) === (query.archived ?? false)),
          ),
        )
      },
      read: async (all, { params }) => withCountsOfOne(all, found(await all.events.get(params.event_id))),
      create,
      copy,
      update,
      delete: deleteEvent,
      adopt,
      async owner({ events }, { body }) {
        const event = await events.get(body.event_id)
        return { account_id: event?.account_id ?? null, archived: isArchived(event) }
      },
      async campaign_terms({ events }, { body }) {
        const event = found(await events.get(body.event_id))
        return { ...event, archived: isArchived(event) }
      },
      async day_rule({ events }, { body }) {
        const { timezone, day_starts_at } = found(await events.get(body.event_id))
        // A stored name may be older than the rule that names must be known.
        return { timezone: zoneOf(timezone) ?? 'UTC', day_starts_at }
      },
      badge_hook: async ({ events }, { body }) => ({
        url: (await events.get(body.event_id))?.badge_complete_hook_url || null,
      }),
      network: async ({ events }, { body }) => ({
        network_enabled: found(await events.get(body.event_id)).network_enabled,
      }),
      ciphering,
    },
    dependencies,
  )
}
