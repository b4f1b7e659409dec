import { setTimeout } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { linkTimeErrors } from '@gatehouse/checkin/resources'
import { type FieldErrors, unavailable } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import type { Dependencies } from '../dependencies.ts'
import type { GuestCategory } from './resource.ts'
import type { LinkTerms, StoredCategory } from './store.ts'

/** How often a category is read whose links are being written, and the time in between. */
const TRIES = 60
const RETRY_MS = 50
/** No write takes longer. */
const GRACE_MS = 15_000

type LinkList = GuestCategory['guest_category_accesspoints']

/*
 * The links of categories, which the checkin service stores. A category is stored together with its new links, as due; then the links are
 * written to checkin, and noted as done. So a change is complete or not visible, whatever is interrupted: a category is not shown while links
 * are due, and a request that finds them left behind writes them first.
 */

/** The errors of links: each check-in point must be of the event, and in only one link. */
export async function linkErrors(
  { accesspointClient }: Dependencies,
  event_id: string,
  given: LinkTerms[] = [],
): Promise<FieldErrors> {
  if (given.length === 0) return {}
  const ids = given.map(({ accesspoint_id }) => accesspoint_id)
  const existing = new Set((await accesspointClient.known({ body: { event_id, ids: [...new Set(ids)] } })).ids)
  const problems = ids.flatMap((id, index) => {
    const problem = existing.has(id)
      ? ids.indexOf(id) < index && 'is already linked to this guest category'
      : messageOf('unknown_reference', { thing: 'a check-in point', owner: 'event' })
    return problem ? [[`guest_category_accesspoints.${index}.accesspoint_id`, [problem]]] : []
  })
  const untimely = given.flatMap((link, index) =>
    Object.entries(linkTimeErrors(link)).map(([field, problem]) => [
      `guest_category_accesspoints.${index}.${field}`,
      problem,
    ]),
  )
  return Object.fromEntries([...problems, ...untimely])
}

/** Writes the due links of a category; afterwards the door knows them. */
export async function writeDueLinks(dependencies: Dependencies, category: StoredCategory): Promise<LinkList> {
  const { event_id, _id, links_due } = category
  if (!links_due) return linksOf(dependencies, event_id, [_id])
  const { linkClient, categories } = dependencies
  const written = await linkClient.replace({ body: { event_id, guest_category_id: _id, links: links_due.links } })
  await categories.markLinked(category)
  return written
}

/** The links of some categories, or of all of an event. */
export async function linksOf(
  { linkClient }: Dependencies,
  event_id: string,
  guest_category_ids?: string[],
): Promise<LinkList> {
  return linkClient.of_categories({ body: { event_id, ...(guest_category_ids && { guest_category_ids }) } })
}

/**
 * A category without due links; null if there is none. Throws `unavailable` if that takes too long. It waits for links that another process
 * may still be writing: written twice, they might replace those of the next change. But it writes links that equal `wanted`, since then a
 * request is retried that was not answered.
 */
export async function withoutDueLinks(
  dependencies: Dependencies,
  event_id: string,
  _id: string,
  wanted?: LinkTerms[],
): Promise<StoredCategory | null> {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const category = await dependencies.categories.get(event_id, _id)
    if (!category?.links_due) return category
    const { since, links } = category.links_due
    const isAbandoned = Date.now() - since.getTime() > GRACE_MS
    if (isAbandoned || isDeepStrictEqual(links, wanted)) await writeDueLinks(dependencies, category)
    else await setTimeout(RETRY_MS)
  }
  throw unavailable()
}

/** Changes a category and its links together; as {@link withoutDueLinks}. */
export async function updateWithLinks(
  dependencies: Dependencies,
  event_id: string,
  _id: string,
  changes: Partial<StoredCategory>,
  links: LinkTerms[],
): Promise<StoredCategory | null> {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const category = await dependencies.categories.updateLinked({ event_id, _id }, changes, links)
    if (category) {
      await writeDueLinks(dependencies, category)
      return category
    }
    if (!(await withoutDueLinks(dependencies, event_id, _id, links))) return null
  }
  throw unavailable()
}
