import { sizeOf, type TemplateSize } from '../devices/papers.ts'
import { devices } from '../devices/resource.ts'
import type { PageProps } from '../resources/resource.ts'
import { guests } from '../resources/resources.ts'
import { hrefOf } from '../route/route.ts'
import type { Item } from '../server/server.ts'
import { may } from '../session/session.ts'
import { useConsole } from '../view/console.ts'
import { useMayChange } from '../view/event.ts'
import { FilterFields } from '../view/filters.tsx'
import { useNames } from '../view/names.ts'
import { ResourceList, useFilters } from '../view/resource-list.tsx'
import { Bone } from '../view/skeleton.tsx'
import { badgeCounts, bySize } from './badge-counts.ts'
import { PrintBadges } from './print-badges.tsx'
import { PRINTED } from './printed.ts'
import { badgeTemplates } from './resource.ts'
import { useBadgeCounts } from './use-badge-counts.ts'

const printed = { ...guests, filters: [...PRINTED], sorts: [] }

/** The badge templates of an event, and its badges in one file: all of them, or those of guests by category and by whether they are in. */
export function BadgesPage({ params }: PageProps) {
  const { say, session, locale } = useConsole()
  const event_id = params.event_id ?? ''
  const mayMake = useMayChange()
  const names = useNames(printed.filters, params)
  const [query, setQuery] = useFilters(printed)
  const { value: counted } = useBadgeCounts(event_id)
  const all = counted && badgeCounts(counted)
  const found = counted && badgeCounts(counted, query)
  const countOf = ({ _id }: Item): string =>
    (all?.find(({ template_id }) => template_id === _id)?.count ?? 0).toLocaleString(locale)
  return (
    <ResourceList
      resource={badgeTemplates}
      params={params}
      heading="section_badges"
      after={[
        { name: 'size', title: say('badge_size'), show: (item) => sizeOf(item as unknown as TemplateSize) },
        {
          name: 'count',
          title: say('section_badges'),
          isNumeric: true,
          show: (item) => (all ? countOf(item) : <Bone />),
        },
      ]}
      above={
        may(session, 'door_manager') && (
          <section class="panel print-badges">
            <h2>{say('print_badges')}</h2>
            <p class="quiet">{say('print_badges_hint')}</p>
            <div class="filter-fields">
              <FilterFields resource={printed} names={names ?? {}} query={query} onChange={setQuery} />
            </div>
            {found?.length === 0 ? (
              <div class="notice">
                <p>{say('error_no_badges')}</p>
                <a href={hrefOf('events', event_id, 'guest_categories')}>{say('page_guest_categories')}</a>
              </div>
            ) : (
              <PrintBadges event_id={event_id} query={query} sizes={found && bySize(found)} />
            )}
            {mayMake(devices.creates) && (
              <p>
                {say('print_station_text')}{' '}
                <a href={hrefOf('events', event_id, 'devices', 'print_station')}>{say('print_station_add')}</a>
              </p>
            )}
          </section>
        )
      }
    />
  )
}
