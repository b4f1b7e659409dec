import { alsoWrong, type Call, isRejected, type Output } from '@gatehouse/proto/declaring/resource.ts'
import type { Dependencies } from '../dependencies.ts'
import { categoriesWithBadges, createDrafts, draftOf } from './creation.ts'
import type { guests } from './resource.ts'
import { errorsOfNew, NO_CATEGORY, UID_TAKEN } from './validation.ts'

type CreateMany = typeof guests.actions.create_many

/** Creates the guests of a batch; each has the `_id` that the caller gives. */
export async function create_many(
  dependencies: Dependencies,
  { query: { event_id }, body }: Call<CreateMany>,
): Promise<Output<CreateMany>> {
  const { outbox, presenter } = dependencies
  const given = body.map((item) => (isRejected(item) ? (item.given ?? {}) : item))
  const errors = await errorsOfNew(dependencies, event_id, given)
  const isRight = (index: number): boolean => Object.keys(errors[index] ?? {}).length === 0
  const good = body.flatMap((item, index) => (isRejected(item) || !isRight(index) ? [] : [item]))
  const categories = good.map(({ guest_category_id }) => guest_category_id)
  const withBadges = await categoriesWithBadges(dependencies, event_id, categories)
  const now = new Date()
  const drafts = good.map(({ _id, ...fields }) =>
    draftOf(event_id, _id, { ...fields, source: 'import' }, withBadges, now),
  )
  const { registered, gone } = await outbox.publishing(
    { type: 'guest.created', event_id, items: drafts.map(({ _id }) => ({ _id })) },
    () => createDrafts(dependencies, event_id, drafts),
    // The request that stored an earlier guest publishes it.
    ({ registered, gone }) =>
      [...registered.values()].flatMap(({ guest, created }) =>
        created && !gone.has(guest._id) ? [presenter.forWebhooks(guest)] : [],
      ),
  )
  return body.map((item, index) => {
    if (isRejected(item)) return alsoWrong(item, errors[index] ?? {})
    if (!isRight(index)) return { errors: errors[index] ?? {} }
    if (gone.has(item._id)) return { errors: NO_CATEGORY }
    const own = registered.get(item._id)
    return own ? { created: own.created } : { errors: UID_TAKEN }
  })
}
