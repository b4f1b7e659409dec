import { isDeepStrictEqual } from 'node:util'
import { invalid } from '@gatehouse/proto/declaring/faults.ts'
import type { Body, Call } from '@gatehouse/proto/declaring/resource.ts'
import { found, untilUnchanged } from '@gatehouse/proto/storage/documents.ts'
import { changesBadge, changesMetadata, ordered } from '../badge-orders/order-queue.ts'
import type { Dependencies } from '../dependencies.ts'
import type { Guest, GuestFields, guests } from './resource.ts'
import type { AdoptionOfGuest, StoredGuest } from './stored-guest.ts'
import { errorsOfChanges, NO_CATEGORY, UID_TAKEN, uidErrors } from './validation.ts'

type Update = typeof guests.actions.update

/** Changes a guest, and makes the change known. */
export async function update(
  dependencies: Dependencies,
  { params: { event_id, id }, body: given, accept }: Call<Update>,
): Promise<Guest> {
  const { guests, changes, outbox, presenter } = dependencies
  const stored = found(await guests.get(event_id, id))
  const [errors] = await errorsOfChanges(dependencies, event_id, [given], [stored])
  const fields = changesOf(await accept(errors, () => uidErrors(dependencies, event_id, given.uid, id)))
  const uids = new Set<string>()
  const change = () =>
    untilUnchanged('guest', async () => {
      const current = found(await guests.get(event_id, id))
      uids.add(current.uid).add(fields.uid ?? current.uid)
      return changeAsRead(dependencies, current, fields)
    })
  const guest = await outbox.publishing(
    { type: 'guest.updated', event_id, items: [{ _id: id, updated_at: stored.updated_at }] },
    () => changes.changing({ event_id, uids, moved_from: null }, change),
    (guest) => [presenter.forWebhooks(guest)],
  )
  return presenter.shown(guest)
}

/**
 * Changes a guest: its fields, and with them its category and its badge. Null if it has changed since it was read. With `adoption` the change comes
 * from another system.
 */
export async function changeAsRead(
  { guests, categories, orderQueue, changes }: Dependencies,
  current: StoredGuest,
  fields: Partial<GuestFields>,
  adoption?: AdoptionOfGuest,
): Promise<StoredGuest | null> {
  const { event_id, guest_category_id: category } = { ...current, ...fields }
  const moves = category !== current.guest_category_id
  const base = moves ? await guests.noteMove(current, category) : current
  if (!base) return null
  if (moves && !(await categories.confirm(event_id, category))) throw invalid(NO_CATEGORY)
  const reprints =
    changesBadge(current, fields) ||
    (changesMetadata(current, fields) && (await categories.hasBadgeTemplate(event_id, category)))
  const wanted = reprints && (await categories.wantsBadges(event_id, category))
  if (fields.uid !== undefined && fields.uid !== current.uid)
    await changes.leaving({ event_id, uids: [current.uid], moved_from: null })
  const order = { wanted, due: new Date(), isQuiet: adoption !== undefined }
  const updated = await guests.update(base, { ...fields, ...adoption, ...(reprints && ordered(current, order)) })
  if (updated === undefined) throw invalid(UID_TAKEN)
  if (updated && wanted) orderQueue.announce(updated)
  // The category may have begun to want badges before the guest was there to be ordered one.
  else if (updated && moves && (await categories.wantsBadges(event_id, category))) await orderQueue.order(updated)
  return updated
}

/** The changes that a request asks for; lists are replaced as a whole. */
export function changesOf({
  access_privileges_attributes: access_privileges,
  uid,
  ...fields
}: Body<Update>): Partial<GuestFields> {
  return { ...fields, ...(uid && { uid }), ...(access_privileges && { access_privileges }) }
}

/** Whether a guest is as the changes would make it. */
export function isAlready(guest: StoredGuest, changes: Partial<GuestFields>): boolean {
  return Object.entries(changes).every(([name, value]) =>
    isDeepStrictEqual(guest[name as keyof GuestFields] ?? null, value ?? null),
  )
}
