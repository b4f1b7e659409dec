import { EventActs } from '../events/event-acts.tsx'
import type { PageProps } from '../resources/resource.ts'
import { events } from '../resources/resources.ts'
import { useEvent } from '../view/event.ts'
import { ItemPage } from '../view/resource-item.tsx'

/** The settings of an event, and what can be done to it as a whole. */
export function SettingsPage({ params }: PageProps) {
  const { event } = useEvent()
  return (
    <>
      <ItemPage resource={events} params={{ ...params, id: params.event_id ?? '' }} />
      {event && <EventActs event={event} />}
    </>
  )
}
