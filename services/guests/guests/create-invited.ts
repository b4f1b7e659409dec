import { invalid } from '@gatehouse/proto/declaring/faults.ts'
import type { Call, Output } from '@gatehouse/proto/declaring/resource.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../dependencies.ts'
import { categoriesWithBadges, createDrafts, draftOf } from './creation.ts'
import type { guests } from './resource.ts'
import type { NewGuest, StoredGuest } from './stored-guest.ts'
import { errorsOfNew, NO_CATEGORY } from './validation.ts'

type CreateInvited = typeof guests.actions.create_invited

/** Creates the guest of an invitation or of a registration page, with its discount code if a use of that is left. */
export async function create_invited(
  dependencies: Dependencies,
  { body: { event_id, promo_code, ...given } }: Call<CreateInvited>,
): Promise<Output<CreateInvited>> {
  const { guests, promoCodeClient, outbox, presenter } = dependencies
  const { _id, source, ...fields } = given
  const [[errors = {}], withBadges, earlier] = await Promise.all([
    errorsOfNew(dependencies, event_id, [given]),
    categoriesWithBadges(dependencies, event_id, [given.guest_category_id]),
    guests.get(event_id, _id),
  ])
  if (earlier) return { created: false }
  if (Object.keys(errors).length > 0) throw invalid(errors)
  // Who is invited comes, with the discount or without.
  const admission = promo_code && (await promoCodeClient.admit({ body: promo_code }))
  const code = admission && !admission.refusal ? admission.promo_code : undefined
  const insert = async (guest: NewGuest): Promise<StoredGuest | undefined> =>
    (code && (await guests.insertUsing(guest, code))) ?? (await guests.insert(guest))
  const draft = draftOf(
    event_id,
    _id,
    { ...fields, status: source === 'invitation' ? 'invited' : 'registered', source },
    withBadges,
    new Date(),
  )
  const { created } = await outbox.publishing(
    { type: 'guest.created', event_id, items: [{ _id }] },
    async () => {
      const { registered, gone } = await createDrafts(dependencies, event_id, [draft], insert)
      if (gone.size > 0) throw invalid(NO_CATEGORY)
      return found(registered.get(_id))
    },
    // The request that stored an earlier guest publishes it.
    ({ guest, created }) => (created ? [presenter.forWebhooks(guest)] : []),
  )
  return { created }
}
