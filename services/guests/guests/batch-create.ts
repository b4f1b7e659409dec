import { derivedId } from '@gatehouse/proto/bus/client.ts'
import { GIVING_WAY, inChunks } from '@gatehouse/proto/concurrency/chunks.ts'
import { isBlank } from '@gatehouse/proto/declaring/fields.ts'
import { alsoWrong, type Call, isRejected, type Output, type Rejected } from '@gatehouse/proto/declaring/resource.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../dependencies.ts'
import { sourceOf } from './create.ts'
import { categoriesWithBadges, createAll, draftOf, type WantedGuest } from './creation.ts'
import type { guests } from './resource.ts'
import type { StoredGuest } from './stored-guest.ts'
import { CODE_USED_UP, errorsOfNew, uidErrors } from './validation.ts'

type BatchCreate = typeof guests.actions.batch_create
type Item = Call<BatchCreate>['body'][number]

/** Discount codes that are asked for at the same time. */
const CODES = { size: () => 20, concurrency: 1 }

/** An item with the `_id` that its guest gets, and its valid fields. */
interface Submitted {
  item: Item
  _id: string
  given: Partial<Exclude<Item, Rejected>>
}

/** Creates the guests of a batch. A guest whom an earlier try has stored stays as it is. */
export function batch_create(dependencies: Dependencies, call: Call<BatchCreate>): Promise<Output<BatchCreate>> {
  const { params, body, caller, newId } = call
  const submitted = body.map((item) => {
    // Refused items take an id too, so that each item has the same id in a retry.
    const own = newId()
    const given = isRejected(item) ? (item.given ?? {}) : item
    const { idempotency_key: key = null } = given
    return { item, given, _id: isBlank(key) ? own : derivedId(caller?.token_id ?? '', params.event_id, 'guest', key) }
  })
  return inChunks(submitted, (some) => createChunk(dependencies, call, some), GIVING_WAY)
}

async function createChunk(
  dependencies: Dependencies,
  call: Call<BatchCreate>,
  submitted: Submitted[],
): Promise<Output<BatchCreate>> {
  const { event_id } = call.params
  const judged = await judge(dependencies, call, submitted)
  const firsts = new Map<string, WantedGuest>()
  for (const each of judged) if (!isRejected(each) && !firsts.has(each.draft._id)) firsts.set(each.draft._id, each)
  const outcomes = await createAll(dependencies, event_id, [...firsts.values()], true)
  return judged.map((each) => {
    if (isRejected(each)) return each
    const { _id } = each.draft
    const outcome = found(outcomes.get(_id))
    if (isRejected(outcome)) return outcome
    const created = outcome.created && firsts.get(_id) === each
    return { ...dependencies.presenter.shown(outcome.guest, { qrcode_url: true }), created }
  })
}

/** The guest that each item asks for, or what is wrong with it. */
async function judge(
  dependencies: Dependencies,
  { params: { event_id }, caller }: Call<BatchCreate>,
  submitted: Submitted[],
): Promise<(WantedGuest | Rejected)[]> {
  const { guests } = dependencies
  const categories = submitted.flatMap(({ given }) => given.guest_category_id ?? [])
  const [errors, withBadges, { earlier, admissions }] = await Promise.all([
    errorsOfNew(
      dependencies,
      event_id,
      submitted.map(({ given }) => given),
    ),
    categoriesWithBadges(dependencies, event_id, categories),
    codesOf(dependencies, event_id, submitted),
  ])
  const now = new Date()
  return Promise.all(
    submitted.map(async ({ item, _id, given }, index): Promise<WantedGuest | Rejected> => {
      const admission = earlier.has(_id) ? undefined : admissions.get(given.promo_code ?? '')
      const code = admission?.promo_code
      const wrong = { ...errors[index], ...(admission?.refusal && { promo_code: [admission.refusal] }) }
      if (!isRejected(item) && Object.keys(wrong).length === 0) {
        const { promo_code: _, idempotency_key: __, ...fields } = item
        const draft = draftOf(event_id, _id, { ...fields, source: sourceOf(caller, item) }, withBadges, now)
        return { draft, code, earlier: earlier.get(_id) }
      }
      const all = {
        ...(await uidErrors(dependencies, event_id, given.uid, _id)),
        ...(code && (await guests.isUsedUp(code)) && CODE_USED_UP),
        ...wrong,
      }
      return isRejected(item) ? alsoWrong(item, all) : { errors: all }
    }),
  )
}

/** The discount codes that items name, by their texts. A guest whom an earlier try has stored holds its use already, perhaps the last one. */
async function codesOf({ lookups, promoCodeClient }: Dependencies, event_id: string, submitted: Submitted[]) {
  const using = submitted.filter(({ given }) => !isBlank(given.promo_code ?? null))
  const ids = using.map(({ _id }) => _id)
  const stored = ids.length === 0 ? [] : await lookups.withIds(event_id, ids)
  const earlier = new Map<string, StoredGuest>(stored.map((guest) => [guest._id, guest]))
  const texts = new Set(using.flatMap(({ _id, given }) => (earlier.has(_id) ? [] : (given.promo_code ?? []))))
  const admit = async (text: string) => [text, await promoCodeClient.admit({ body: { event_id, text } })] as const
  const admissions = new Map(await inChunks([...texts], (some) => Promise.all(some.map(admit)), CODES))
  return { earlier, admissions }
}
