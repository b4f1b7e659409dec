import { Fault, invalid } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import type { Call } from '@gatehouse/proto/declaring/resource.ts'
import type { Dependencies } from '../dependencies.ts'
import { categoriesWithBadges, createDrafts, draftOf } from './creation.ts'
import type { Guest, guests } from './resource.ts'
import { errorsOfNew, NO_CATEGORY, UID_TAKEN, uidErrors } from './validation.ts'

/** Creates the guest of a walk-in, unless an earlier try has stored it. */
export async function create_walk_in(
  dependencies: Dependencies,
  { body: { event_id, _id, ...fields } }: Call<typeof guests.actions.create_walk_in>,
): Promise<Guest> {
  const { guests, categories, outbox, presenter } = dependencies
  const { guest_category_id, uid } = fields
  const earlier = await guests.get(event_id, _id)
  if (earlier) return presenter.shown(earlier, { qrcode_url: true })
  const [category, [errors = {}], taken, withBadges] = await Promise.all([
    categories.get(event_id, guest_category_id),
    errorsOfNew(dependencies, event_id, [fields]),
    uidErrors(dependencies, event_id, uid, _id),
    categoriesWithBadges(dependencies, event_id, [guest_category_id]),
  ])
  if (category && !category.walk_in_enabled) throw new Fault('forbidden', messageOf('walk_ins_disallowed'))
  if (Object.keys({ ...errors, ...taken }).length > 0) throw invalid({ ...errors, ...taken })
  const given = { ...fields, access_privileges_attributes: [], source: 'walk_in' as const }
  const draft = draftOf(event_id, _id, given, withBadges, new Date())
  const { guest } = await outbox.publishing(
    { type: 'guest.created', event_id, items: [{ _id }] },
    async () => {
      const { registered, gone } = await createDrafts(dependencies, event_id, [draft])
      const stored = registered.get(_id)
      if (!stored) throw invalid(UID_TAKEN)
      if (gone.size > 0) throw invalid(NO_CATEGORY)
      return stored
    },
    // The request that stored an earlier guest publishes it.
    ({ guest, created }) => (created ? [presenter.forWebhooks(guest)] : []),
  )
  return presenter.shown(guest, { qrcode_url: true })
}
