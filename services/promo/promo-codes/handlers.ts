import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { type Handlers, handlersOf } from '@gatehouse/proto/declaring/resource.ts'
import { adoptEach, disownEach } from '@gatehouse/proto/storage/adopting.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import { guests } from '../permissions.ts'
import { admit } from './admit.ts'
import { create } from './create.ts'
import type { Dependencies } from './dependencies.ts'
import type { promoCodes } from './resource.ts'
import type { PromoCodeStore } from './store.ts'
import { update } from './update.ts'
import { countUses, countUsesOfOne } from './uses.ts'
import { withShownText } from './validation.ts'

/** Returns the handlers of discount codes. The guests service counts their uses, since guests hold them. */
export function promoCodeHandlers(store: PromoCodeStore, bus: Bus): Handlers<typeof promoCodes> {
  return handlersOf<typeof promoCodes, Dependencies>(
    {
      list: async (codes, { params, query }) => countUses(codes, await codes.store.page(params.event_id, query)),
      read: async (codes, { params }) =>
        countUsesOfOne(codes, found(await codes.store.get(params.event_id, params.id))),
      create,
      update,
      delete: async (codes, { params }) => {
        const deleted = found(await codes.store.delete(params.event_id, params.id))
        return () => countUsesOfOne(codes, deleted)
      },
      adopt: ({ store }, { query: { event_id, compares }, body }) =>
        adoptEach(body, (items) => {
          const codes = items.map(({ times_used, ...item }) => ({
            ...withShownText(item),
            event_id,
            uses_elsewhere: times_used,
          }))
          return store.adopt(codes, compares)
        }),
      async disown({ store, guestClient }, { body: { event_id, ids } }) {
        const used = await guestClient.promo_uses({ body: { promo_code_ids: ids } })
        return disownEach(ids, await store.withIds(event_id, ids), async ({ _id, revision }) => {
          if (used.some(({ promo_code_id }) => promo_code_id === _id)) return false
          return (await store.delete(event_id, _id, { revision })) !== null
        })
      },
      admit,
    },
    { store, guestClient: clientOf(bus, guests) },
  )
}
