import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { conflict, type FieldErrors } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import type { Handlers } from '@gatehouse/proto/declaring/resource.ts'
import { found, newTimes } from '@gatehouse/proto/storage/documents.ts'
import type { PartnerCampaignStore } from '../../campaigns/partner-campaigns/store.ts'
import { guestCategories } from '../../permissions.ts'
import { unknownLinks } from './markup.ts'
import { unknownPlaceholders } from './placeholders.ts'
import type { InvitationType, invitationTypes } from './resource.ts'
import type { InvitationTypeStore } from './store.ts'

/** Handlers of invitation types. */
export function invitationTypeHandlers(
  store: InvitationTypeStore,
  campaigns: PartnerCampaignStore,
  bus: Bus,
): Handlers<typeof invitationTypes> {
  const categories = clientOf(bus, guestCategories)

  async function errorsOf(event_id: string, given: Partial<InvitationType>): Promise<FieldErrors> {
    const { guest_category_id: id } = given
    const isUnknown = id ? (await categories.known({ body: { event_id, ids: [id] } })).ids.length === 0 : false
    return {
      ...(isUnknown && {
        guest_category_id: [messageOf('unknown_reference', { thing: 'a guest category', owner: 'event' })],
      }),
      ...placeholderErrors('subject', given.subject),
      ...linkErrors('message', given.message),
      ...placeholderErrors('message', given.message),
    }
  }

  return {
    list: async ({ params }) => store.ofEvent(params.event_id),
    read: async ({ params }) => found(await store.get(params.event_id, params.id)),

    async create({ params: { event_id }, body: given, accept, newId }) {
      const body = await accept(await errorsOf(event_id, given))
      return store.insert({ _id: newId(), ...body, event_id, ...newTimes() })
    },

    async update({ params: { event_id, id }, body: given, accept }) {
      found(await store.get(event_id, id))
      const body = await accept(await errorsOf(event_id, given))
      return found(await store.update(event_id, id, body))
    },

    async delete({ params: { event_id, id } }) {
      const marked = found(await store.markForDeletion(event_id, id))
      const empty = !(await campaigns.hasType(event_id, id))
      if (empty && (await store.deleteMarked(marked))) return marked
      // Another request may have deleted it meanwhile.
      found(await store.get(event_id, id))
      throw conflict(messageOf('type_has_campaigns'))
    },
  }
}

function placeholderErrors(field: string, text: string | null | undefined): FieldErrors {
  const [unknown] = unknownPlaceholders(text)
  return unknown === undefined ? {} : { [field]: [messageOf('unknown_placeholder', { found: unknown })] }
}

function linkErrors(field: string, text: string | null | undefined): FieldErrors {
  const [unknown] = unknownLinks(text)
  return unknown === undefined ? {} : { [field]: [messageOf('disallowed_link', { found: unknown })] }
}
