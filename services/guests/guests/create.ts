import { invalid } from '@gatehouse/proto/declaring/faults.ts'
import { isBlank } from '@gatehouse/proto/declaring/fields.ts'
import type { Call, Caller } from '@gatehouse/proto/declaring/resource.ts'
import type { Dependencies } from '../dependencies.ts'
import { categoriesWithBadges, createDrafts, type Draft, draftOf } from './creation.ts'
import type { UsableCode } from './promo-uses.ts'
import type { Guest, GuestSource, guests } from './resource.ts'
import type { NewGuest, StoredGuest } from './stored-guest.ts'
import { CODE_USED_UP, errorsOfNew, NO_CATEGORY, UID_TAKEN, uidErrors } from './validation.ts'

/** Creates a guest, who uses a discount code if one is given. */
export async function create(
  dependencies: Dependencies,
  { params: { event_id }, body: given, accept, idempotency_key, newId, caller }: Call<typeof guests.actions.create>,
): Promise<Guest> {
  const { guests, promoCodeClient, outbox, presenter } = dependencies
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
  const guest = await outbox.publishing(
    { type: 'guest.created', event_id, items: [{ _id }] },
    () => createOne(dependencies, draft, code, earlier),
    (guest) => [presenter.forWebhooks(guest)],
  )
  return presenter.shown(guest, { qrcode_url: true })
}

/** How the guest of a request came. The console imports a file guest by guest. */
function sourceOf(caller: Caller | undefined, { status }: Pick<Guest, 'status'>): GuestSource {
  if (!caller?.role) return 'api'
  return status === 'imported' ? 'import' : 'console'
}

/**
 * Creates a guest, who uses the code if there is one; `earlier` is the guest if an earlier try has stored it. Throws `invalid` if the uid is
 * taken, the code used up or the category gone.
 */
async function createOne(
  dependencies: Dependencies,
  draft: Draft,
  code: UsableCode | undefined,
  earlier: StoredGuest | null,
): Promise<StoredGuest> {
  const { guests } = dependencies
  const { event_id, uid, _id } = draft
  const insert = async (guest: NewGuest): Promise<StoredGuest | undefined> => {
    if (earlier) return earlier
    const stored = await (code ? guests.insertUsing(guest, code) : guests.insert(guest))
    if (stored !== null) return stored
    throw invalid({ ...CODE_USED_UP, ...(await uidErrors(dependencies, event_id, uid, _id)) })
  }
  const { registered, gone } = await createDrafts(dependencies, event_id, [draft], insert)
  const created = registered.get(_id)
  if (!created) throw invalid(UID_TAKEN)
  if (gone.size > 0) throw invalid(NO_CATEGORY)
  return created.guest
}
