import type { PageProps } from '../resources/resource.ts'
import { LINKS } from '../rights/links.ts'
import { hrefOf } from '../route/route.ts'
import { client, type Item } from '../server/server.ts'
import { useConsole } from '../view/console.ts'
import { useLoaded } from '../view/loaded.ts'
import { useNames } from '../view/names.ts'

/** Says so where a guest may enter nowhere: neither the category has a right, nor the guest one of its own. */
export function GuestRights({ params, item }: PageProps & { item: Item }) {
  const { say } = useConsole()
  const event_id = params.event_id ?? ''
  const guest_category_id = String(item.guest_category_id)
  const { value: links } = useLoaded(
    async (signal) => {
      const query = { guest_category_id, per_page: 1 }
      return (await client.GET(LINKS, { params: { path: { event_id }, query }, signal })).data
    },
    [event_id, guest_category_id],
  )
  const category = useNames(['guest_category_id'], { event_id })?.guest_category_id?.get(guest_category_id)
  const hasOwn = Array.isArray(item.access_privileges) && item.access_privileges.length > 0
  if (hasOwn || category === undefined || links?.length !== 0) return null
  return (
    <section class="notice bad">
      <p>{say('guest_nowhere', { category })}</p>
      <a href={hrefOf('events', event_id, 'rights')}>{say('page_rights')}</a>
    </section>
  )
}
