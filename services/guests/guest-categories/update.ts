import type { Call } from '@gatehouse/proto/declaring/resource.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../dependencies.ts'
import { linkErrors, linksOf, updateWithLinks } from './links.ts'
import { registrationTimeErrors } from './registration-times.ts'
import type { GuestCategory, guestCategories } from './resource.ts'
import { templateErrors } from './templates.ts'

/** The fields whose change makes the badges of the category's guests anew. */
const PRINTED = [
  'name',
  'badge_enabled',
  'badge_qr_code_enabled',
  'badge_ecard_in_qr_code_enabled',
  'badge_template_id',
] as const

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
  const reprints = PRINTED.some((field) => body[field] !== undefined && body[field] !== before[field])
  const changes = { ...body, ...(reprints && { badges_due: new Date() }) }
  const category = found(
    links
      ? await updateWithLinks(dependencies, event_id, id, changes, links)
      : await categories.update(event_id, id, changes),
  )
  if (reprints) orderQueue.orderForAll([category])
  return async () => ({ ...category, guest_category_accesspoints: await linksOf(dependencies, event_id, [id]) })
}
