import type { PageProps } from '../resources/resource.ts'
import { events } from '../resources/resources.ts'
import { ItemPage } from '../view/resource-item.tsx'

/** The settings of an event. */
export function SettingsPage({ params }: PageProps) {
  return <ItemPage resource={events} params={{ ...params, id: params.event_id ?? '' }} />
}
