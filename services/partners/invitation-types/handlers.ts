import { conflict } from '@gatehouse/proto/declaring/faults.ts'
import type { Handlers } from '@gatehouse/proto/declaring/resource.ts'
import { found, newTimes } from '@gatehouse/proto/storage/documents.ts'
import type { PartnerCampaignStore } from '../partner-campaigns/store.ts'
import type { invitationTypes } from './resource.ts'
import type { InvitationTypeStore } from './store.ts'

/** Handlers of invitation types. */
export function invitationTypeHandlers(
  store: InvitationTypeStore,
  campaigns: PartnerCampaignStore,
): Handlers<typeof invitationTypes> {
  return {
    list: async ({ params }) => store.ofEvent(params.event_id),
    read: async ({ params }) => found(await store.get(params.event_id, params.id)),

    async create({ params: { event_id }, body, newId }) {
      return store.insert({ _id: newId(), ...body, event_id, ...newTimes() })
    },

    update: async ({ params, body }) => found(await store.update(params.event_id, params.id, body)),

    async delete({ params: { event_id, id } }) {
      const marked = found(await store.markForDeletion(event_id, id))
      const empty = !(await campaigns.hasType(event_id, id))
      if (empty && (await store.deleteMarked(marked))) return marked
      // Another request may have deleted it meanwhile.
      found(await store.get(event_id, id))
      throw conflict('The invitation type has partner campaigns')
    },
  }
}
