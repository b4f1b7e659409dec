import { type Handlers, handlersOf } from '@gatehouse/proto/declaring/resource.ts'
import { republishCreated, requireAnHour } from '@gatehouse/proto/events/republishing.ts'
import type { Dependencies } from '../dependencies.ts'
import * as topics from '../topics.ts'
import { adopt } from './adopt.ts'
import { at_door } from './at-door.ts'
import { batch_create } from './batch-create.ts'
import { batch_delete } from './batch-delete.ts'
import { batch_update } from './batch-update.ts'
import { create } from './create.ts'
import { create_invited } from './create-invited.ts'
import { create_many } from './create-many.ts'
import { create_walk_in } from './create-walk-in.ts'
import { deleteGuest } from './delete.ts'
import { disclosed } from './disclosed.ts'
import { disown } from './disown.ts'
import { note_entries } from './note-entries.ts'
import { list, read } from './read.ts'
import type { guests } from './resource.ts'
import { readSearch } from './search.ts'
import { update } from './update.ts'

/** Most guests that another service is told of a search. */
const FOUND = 1_000

/** Returns the handlers of guests. Every change is known to the door, which caches guests, before it is answered. */
export function guestHandlers(dependencies: Dependencies): Handlers<typeof guests> {
  return handlersOf<typeof guests, Dependencies>(
    {
      list,
      read,
      create,
      create_many,
      adopt,
      disown,
      create_invited,
      create_walk_in,
      update,
      delete: deleteGuest,
      batch_create,
      batch_update,
      batch_delete,
      at_door,
      disclosed,
      note_entries,
      known: async ({ lookups }, { body: { event_id, ids, uids } }) => ({
        ids: await lookups.knownIds(event_id, ids),
        uids: await lookups.knownUids(event_id, uids),
      }),
      async found({ guests }, { body: { event_id, search } }) {
        const page = { page: 1, per_page: FOUND }
        return { ids: (await guests.page(event_id, { search: readSearch(search) }, page, false)).each('_id') }
      },
      async audience({ lookups }, { body: { event_id, guest_category_ids, after, ...filter } }) {
        const categories = guest_category_ids.length > 0 ? guest_category_ids : undefined
        const { guests, next } = await lookups.audience(event_id, { categories, ...filter }, after)
        return { guests, ...(next && { next }) }
      },
      promo_uses: async ({ guests }, { body }) =>
        Array.from(await guests.countPromoUses(body.promo_code_ids), ([promo_code_id, times_used]) => ({
          promo_code_id,
          times_used,
        })),
      async categories({ lookups }, { body: { event_id, after } }) {
        const { guests, last } = await lookups.byUid(event_id, after)
        const byCategory = Map.groupBy(guests, ({ guest_category_id }) => guest_category_id)
        const categories = Array.from(byCategory, ([guest_category_id, members]) => ({
          guest_category_id,
          uids: members.map(({ uid }) => uid),
          parties: members.flatMap(({ uid, party_size = 1 }) => (party_size === 1 ? [] : [{ uid, party_size }])),
        }))
        return { categories, ...(last !== undefined && { last }) }
      },
      async note_mailed({ guests, bus }, { body: { event_id, ids, at } }) {
        await guests.noteMailed(event_id, ids, at)
        bus.announce(topics.entered, { event_id })
        return {}
      },
      resolve: async ({ lookups }, { body }) =>
        (await lookups.doorGuests(body.event_id, body.uids)).map(({ _id, ...rest }) => ({ guest_id: _id, ...rest })),
      of_uids: ({ lookups, presenter }, { body }) =>
        Array.fromAsync(lookups.withUids(body.event_id, body.uids), (guest) => presenter.enclosed(guest)),
      async republish({ lookups, outbox }, { body: { event_id, since, until } }) {
        requireAnHour({ since, until })
        await republishCreated(outbox, 'guest.created', event_id, lookups.createdWithin(event_id, since, until))
        return {}
      },
    },
    dependencies,
  )
}
