import type { Call } from '@gatehouse/proto/declaring/resource.ts'
import { newTimes } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../dependencies.ts'
import { linkErrors, writeDueLinks } from './links.ts'
import { registrationTimeErrors } from './registration-times.ts'
import type { GuestCategory, guestCategories } from './resource.ts'
import { templateErrors } from './templates.ts'

/** Creates a guest category with its links. */
export async function create(
  dependencies: Dependencies,
  { params: { event_id }, body: given, accept, newId }: Call<typeof guestCategories.actions.create>,
): Promise<GuestCategory> {
  const [ofLinks, ofTemplate] = await Promise.all([
    linkErrors(dependencies, event_id, given.guest_category_accesspoints),
    templateErrors(dependencies, event_id, given.badge_template_id),
  ])
  const errors = { ...ofLinks, ...ofTemplate, ...registrationTimeErrors(given) }
  const { guest_category_accesspoints: links, ...fields } = await accept(errors)
  const times = newTimes()
  const category = await dependencies.categories.insert({
    _id: newId(),
    ...fields,
    event_id,
    ...(links.length > 0 && { links_due: { since: times.created_at, links } }),
    ...times,
    deleted: false,
  })
  const written = links.length > 0 ? await writeDueLinks(dependencies, category) : []
  return { ...category, guest_category_accesspoints: written }
}
