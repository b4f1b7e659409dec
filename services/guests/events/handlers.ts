import { type Handlers, handlersOf, required } from '@gatehouse/proto/declaring/resource.ts'
import { zoneOf } from '@gatehouse/proto/declaring/time-zones.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import { isFound, queryWords } from '@gatehouse/proto/storage/search-words.ts'
import type { Dependencies } from '../dependencies.ts'
import { ciphering } from './ciphering.ts'
import { copy } from './copy.ts'
import { withCounts, withCountsOfOne } from './counts.ts'
import { create } from './create.ts'
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
          events.filter(({ title, organizer }) => isFound(words, title, organizer)),
        )
      },
      read: async (all, { params }) => withCountsOfOne(all, found(await all.events.get(params.event_id))),
      create,
      copy,
      update,
      owner: async ({ events }, { body }) => ({ account_id: (await events.get(body.event_id))?.account_id ?? null }),
      campaign_terms: async ({ events }, { body }) => found(await events.get(body.event_id)),
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
