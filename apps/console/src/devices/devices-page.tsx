import type { PageProps } from '../resources/resource.ts'
import { hrefOf } from '../route/route.ts'
import { useConsole } from '../view/console.ts'
import { ResourceList } from '../view/resource-list.tsx'
import { devices } from './resource.ts'

/** The devices of an event, with the ways to set up many at once, or what prints badges. */
export function DevicesPage({ params }: PageProps) {
  const { say } = useConsole()
  const within = ['events', params.event_id ?? '', 'devices']
  return (
    <ResourceList
      resource={devices}
      params={params}
      using={
        <a class="button second" href={hrefOf(...within, 'sheet')}>
          {say('sheet_title')}
        </a>
      }
      making={
        <a class="button second" href={hrefOf(...within, 'print_station')}>
          {say('print_station_add')}
        </a>
      }
    />
  )
}
