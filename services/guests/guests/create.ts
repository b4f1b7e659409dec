import { invalid } from '@gatehouse/proto/declaring/faults.ts'
import { isBlank } from '@gatehouse/proto/declaring/fields.ts'
import { type Call, type Caller, isRejected } from '@gatehouse/proto/declaring/resource.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../dependencies.ts'
import { categoriesWithBadges, createAll, draftOf } from './creation.ts'
import type { Guest, GuestSource, guests } from './resource.ts'
import { CODE_USED_UP, errorsOfNew, uidErrors } from './validation.ts'

/** Creates a guest, who uses a discount code if one is given. */
export async function create(
  dependencies: Dependencies,
  { params: { event_id }, body: given, accept, idempotency_key, newId, caller }: Call<typeof guests.actions.create>,
): Promise<Guest> {
  const { guests, promoCodeClient, presenter } = dependencies
  const { promo_code = null, guest_category_id } = given
  const _id = newId()
  // A try that died after storing holds its use already, perhaps the last one.
  const earlier = !isBlank(promo_code) && idempotency_key ? await guests.get(event_id, _id) : null
  const [[errors = {}], withBadges, admission] = await Promise.all([
    errorsOfNew(dependencies, event_id, [given]),
    categoriesWithBadges(dependencies, event_id, guest_category_id === undefined ? [] : [guest_category_id]),
    isBlank(promo_code) || earlier ? undefined : promoCodeClient.admit({ body: { event_id, text: promo_code } }),
  ])
  if (admission?.refusal) errors.promo_code = [admission.refusal]
  const code = admission?.promo_code
  const { promo_code: _, ...body } = await accept(errors, async () => ({
    ...(await uidErrors(dependencies, event_id, given.uid, _id)),
    ...(code && (await guests.isUsedUp(code)) && CODE_USED_UP),
  }))
  const draft = draftOf(event_id, _id, { ...body, source: sourceOf(caller, body) }, withBadges, new Date())
  const wanted = { draft, code, ...(earlier && { earlier }) }
  const outcome = found((await createAll(dependencies, event_id, [wanted], true)).get(_id))
  if (isRejected(outcome)) throw invalid(outcome.errors)
  return presenter.shown(outcome.guest, { qrcode_url: true })
}

/** How the guest of a request came. */
export function sourceOf(caller: Caller | undefined, { status }: Pick<Guest, 'status'>): GuestSource {
  if (!caller?.role) return 'api'
  return status === 'imported' ? 'import' : 'console'
}
