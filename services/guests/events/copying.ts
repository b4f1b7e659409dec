import { Poller } from '@gatehouse/proto/concurrency/poller.ts'
import { notFound } from '@gatehouse/proto/declaring/faults.ts'
import type { Log } from '@gatehouse/proto/process/log.ts'
import { copiesOf, copyId } from '@gatehouse/proto/serving/copies.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../dependencies.ts'
import { linksOf, withoutDueLinks, writeDueLinks } from '../guest-categories/links.ts'
import { moveBetween } from './moving.ts'
import type { StoredEvent } from './store.ts'

/*
 * A copy of an event is stored first, invisible, with the event that it is of. Then each service copies what is its own, under ids that follow
 * from the copy's and the original's: any step can be repeated, by the next try of the request or by the sweep. The last step shows the copy.
 * docs/adr/0007 says why.
 */

/** A copy that has stood still for this long belongs to a process that died: no request takes longer. */
const ABANDONED_MS = 90_000
const SWEEP_MS = 30_000

/** Completes a copy and returns it; one that is complete may have been changed since, and stays. */
export async function completeCopy(dependencies: Dependencies, copy: StoredEvent): Promise<StoredEvent> {
  if (!copy.copying) return copy
  const { events, guestFields, accesspointClient, badgeTemplateClient, invitationTypeClient } = dependencies
  const original = await events.get(copy.copying.event_id)
  if (!original) return withdraw(dependencies, copy)
  const between = { from_event_id: original._id, event_id: copy._id, at: copy.copying.since }
  const points = await accesspointClient.copy({ body: between })
  const templates = await badgeTemplateClient.copy({ body: between })
  await guestFields.copy(between)
  const known = { points: new Set(points.ids), templates: new Set(templates.ids) }
  const categoryIds = await copyCategories(dependencies, original, copy, known)
  await invitationTypeClient.copy({ body: { ...between, guest_category_ids: categoryIds } })
  // Else some of what was read may have been deleted with it already.
  if (!(await events.get(original._id))) return withdraw(dependencies, copy)
  return found(await events.settle(copy._id))
}

/** Deletes what there is of a copy whose original is deleted. Throws `not_found`. */
async function withdraw({ events, deleting }: Dependencies, { _id }: StoredEvent): Promise<never> {
  await events.beginDeletion(_id)
  deleting.start()
  throw notFound()
}

/** Copies the guest categories with the links to the check-in points, and the badge templates, that are copied. Returns the ids of the originals. */
async function copyCategories(
  dependencies: Dependencies,
  original: StoredEvent,
  copy: StoredEvent,
  { points: pointIds, templates: templateIds }: { points: ReadonlySet<string>; templates: ReadonlySet<string> },
): Promise<string[]> {
  const { categories } = dependencies
  const since = copy.created_at
  const move = moveBetween(original, copy.start_date)
  const originals = await categories.ofEvent(original._id)
  for (const { _id, links_due } of originals) if (links_due) await withoutDueLinks(dependencies, original._id, _id)
  const links = Map.groupBy(await linksOf(dependencies, original._id), ({ guest_category_id }) => guest_category_id)
  const copies = copiesOf(originals, copy._id, since).map(({ badges_due: _, ...category }, index) => ({
    ...category,
    // What a list of them leaves out.
    deleted: false,
    badge_template_id: templateIds.has(category.badge_template_id ?? '')
      ? copyId(copy._id, category.badge_template_id ?? '')
      : null,
    registration_opens_at: move(category.registration_opens_at),
    registration_closes_at: move(category.registration_closes_at),
    form_checkin_point_mapping: mapped(category.form_checkin_point_mapping, copy._id, pointIds),
    links_due: {
      since,
      links: (links.get(originals[index]?._id ?? '') ?? [])
        .filter(({ accesspoint_id }) => pointIds.has(accesspoint_id))
        .map(({ guest_category_id: _, ...link }) => ({
          ...link,
          accesspoint_id: copyId(copy._id, link.accesspoint_id),
          valid_from: move(link.valid_from),
          valid_until: move(link.valid_until),
        })),
    },
  }))
  for (const category of copies) await writeDueLinks(dependencies, await categories.insert(category))
  return originals.map(({ _id }) => _id)
}

/** A mapping of fields of forms to check-in points, with the copies of the points. */
function mapped(mapping: object, event_id: string, pointIds: ReadonlySet<string>): Record<string, unknown> {
  const entries = Object.entries(mapping)
  return Object.fromEntries(
    entries.map(([field, value]) => [field, pointIds.has(value) ? copyId(event_id, value) : value]),
  )
}

/** Completes the copies that processes which died have left, at the start and every half minute. */
export function startCopySweep(dependencies: Dependencies, log: Log): Poller {
  const poller = new Poller({
    everyMs: SWEEP_MS,
    look: async () => {
      for (const copy of await dependencies.events.unsettledSince(new Date(Date.now() - ABANDONED_MS)))
        await completeCopy(dependencies, copy).catch((error) =>
          log.warn({ err: error, event_id: copy._id }, 'a copy of an event is not complete yet; it will be retried'),
        )
    },
    onError: (error) => log.warn({ err: error }, 'looking for copies of events failed; it will be retried'),
  })
  poller.wake()
  return poller
}
