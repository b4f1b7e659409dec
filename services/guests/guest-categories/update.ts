import type { Call } from '@gatehouse/proto/declaring/resource.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../dependencies.ts'
import { linkErrors, linksOf, updateWithLinks } from './links.ts'
import { registrationTimeErrors } from './registration-times.ts'
import type { GuestCategory, guestCategories } from './resource.ts'
import { reprints } from './store.ts'
import { templateErrors } from './templates.ts'

/** Changes a guest category and, if they are given, its links. */
export async function update(
  dependencies: Dependencies,
  { params: { event_id, id }, body: given, accept }: Call<typeof guestCategories.actions.update>,
): Promise<() => Promise<GuestCategory>> {
  const { categories, orderQueue } = dependencies
  const before = found(await categories.get(event_id, id))
  const [ofLinks, ofTemplate] = await Promise.all([
    linkErrors(dependencies, event_id, given.guest_category_accesspoints),
    templateErrors(dependencies, event_id, given.badge_template_id, before.badge_template_id),
  ])
  const errors = { ...ofLinks, ...ofTemplate, ...registrationTimeErrors({ ...before, ...given }) }
  const { guest_category_accesspoints: links, ...body } = await accept(errors)
  const changed = Object.keys(body).filter((name) => {
    const field = name as keyof typeof body
    return body[field] !== undefined && body[field] !== before[field]
  })
  const changes = { ...body, ...(reprints(changed) && { badges_due: new Date() }) }
  const category = found(
    links
      ? await updateWithLinks(dependencies, event_id, id, changes, links)
      : await categories.update(event_id, id, changes),
  )
  if (reprints(changed)) orderQueue.orderForAll([category])
  return async () => ({ ...category, guest_category_accesspoints: await linksOf(dependencies, event_id, [id]) })
}
