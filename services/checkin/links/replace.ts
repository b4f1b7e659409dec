import type { Call } from '@gatehouse/proto/declaring/resource.ts'
import type { Dependencies } from '../dependencies.ts'
import type { links } from './resource.ts'
import type { Link } from './store.ts'

type Replace = Call<(typeof links)['actions']['replace']>

/** Replaces all links of a category. */
export async function replace(dependencies: Dependencies, { body }: Replace): Promise<Link[]> {
  const { event_id, guest_category_id } = body
  await dependencies.changeLog.adding(event_id, { rights: true }, store(dependencies, body))
  return dependencies.links.ofCategories(event_id, [guest_category_id])
}

async function store(
  { links, accesspoints, guestCategoryClient }: Dependencies,
  { event_id, guest_category_id, links: given }: Replace['body'],
): Promise<void> {
  await links.replaceOfCategory(event_id, guest_category_id, given)
  const ids = given.map(({ accesspoint_id }) => accesspoint_id)
  // Checked only now: a point or category that is deleted later takes its links with it.
  const [points, categories] = await Promise.all([
    accesspoints.known(event_id, ids),
    guestCategoryClient.known({ body: { event_id, ids: [guest_category_id] } }),
  ])
  if (categories.ids.length === 0) await links.deleteOfCategory(event_id, guest_category_id)
  for (const id of new Set(ids).difference(new Set(points))) await links.deleteOfPoint(event_id, id)
}
