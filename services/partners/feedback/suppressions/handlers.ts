import { normalized } from '@gatehouse/proto/declaring/addresses.ts'
import { conflict } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import type { Handlers } from '@gatehouse/proto/declaring/resource.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import type { suppressions } from './resource.ts'
import type { SuppressionStore } from './store.ts'

/** Handlers of suppressions. */
export function suppressionHandlers(store: SuppressionStore): Handlers<typeof suppressions> {
  return {
    // What is no address is suppressed nowhere.
    list: async ({ params: { event_id }, query: { address, ...page } }) =>
      store.page(event_id, page, address && (normalized(address) ?? address)),

    async delete({ params: { event_id, id } }) {
      const deleted = await store.deleteBounced(event_id, id)
      if (deleted) return deleted
      found(await store.get(event_id, id))
      throw conflict(messageOf('marked_as_spam'))
    },
  }
}
