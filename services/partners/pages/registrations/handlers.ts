import { type Handlers, handlersOf } from '@gatehouse/proto/declaring/resource.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import { approve, reject, reopen } from '../../delivery/invitations/answers.ts'
import type { StoredInvitation } from '../../delivery/invitations/store.ts'
import { registrationView } from '../../delivery/invitations/views.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { ListedRegistration, registrations } from './resource.ts'

const DECISIONS = { approved: approve, rejected: reject, pending: reopen }

/** Returns the handlers of registrations. */
export function registrationHandlers(dependencies: Dependencies): Handlers<typeof registrations> {
  return handlersOf<typeof registrations, Dependencies>(
    {
      list: async (all, { params: { event_id }, query }) =>
        listed(all, event_id, (await all.registrations.page(event_id, query)).decoded()),
      read: async (all, { params: { event_id, id } }) =>
        oneListed(all, found(await all.registrations.get(event_id, id))),
      async update(all, { params: { event_id, id }, body }) {
        const registration = found(await all.registrations.get(event_id, id))
        return oneListed(all, await DECISIONS[body.registration_state](all, registration))
      },
    },
    dependencies,
  )
}

async function oneListed(dependencies: Dependencies, registration: StoredInvitation): Promise<ListedRegistration> {
  return found((await listed(dependencies, registration.event_id, [registration]))[0])
}

/** Registrations with the categories that their guests get: those of their campaigns' invitation types. */
async function listed(
  { pauses, types }: Dependencies,
  event_id: string,
  registrations: StoredInvitation[],
): Promise<ListedRegistration[]> {
  const ids = [...new Set(registrations.map(({ partner_campaign_id }) => partner_campaign_id))]
  const [campaigns, all] = await Promise.all([pauses.withIds(event_id, ids), types.ofEvent(event_id)])
  const categories = new Map(all.map(({ _id, guest_category_id }) => [_id, guest_category_id]))
  const byCampaign = new Map(campaigns.map((each) => [each._id, categories.get(each.invitation_type_id) ?? null]))
  return registrations.map((each) =>
    registrationView(each, each.guest_category_id ?? byCampaign.get(each.partner_campaign_id) ?? null),
  )
}
