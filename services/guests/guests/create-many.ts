import { alsoWrong, type Call, isRejected, type Output } from '@gatehouse/proto/declaring/resource.ts'
import type { Dependencies } from '../dependencies.ts'
import { categoriesWithBadges, createAll, draftOf } from './creation.ts'
import type { guests } from './resource.ts'
import { errorsOfNew } from './validation.ts'

type CreateMany = typeof guests.actions.create_many

/** Creates the guests of a batch; each has the `_id` that the caller gives. */
export async function create_many(
  dependencies: Dependencies,
  { query: { event_id }, body }: Call<CreateMany>,
): Promise<Output<CreateMany>> {
  const given = body.map((item) => (isRejected(item) ? (item.given ?? {}) : item))
  const errors = await errorsOfNew(dependencies, event_id, given)
  const isRight = (index: number): boolean => Object.keys(errors[index] ?? {}).length === 0
  const good = body.flatMap((item, index) => (isRejected(item) || !isRight(index) ? [] : [item]))
  const categories = good.map(({ guest_category_id }) => guest_category_id)
  const withBadges = await categoriesWithBadges(dependencies, event_id, categories)
  const now = new Date()
  const wanted = good.map(({ _id, ...fields }) => ({
    draft: draftOf(event_id, _id, { ...fields, source: 'import' }, withBadges, now),
  }))
  const outcomes = await createAll(dependencies, event_id, wanted, false)
  return body.map((item, index) => {
    if (isRejected(item)) return alsoWrong(item, errors[index] ?? {})
    const outcome = outcomes.get(item._id)
    if (!isRight(index) || !outcome) return { errors: errors[index] ?? {} }
    return isRejected(outcome) ? outcome : { created: outcome.created }
  })
}
