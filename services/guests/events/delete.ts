import { Fault, invalid } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import { type Call, required } from '@gatehouse/proto/declaring/resource.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../dependencies.ts'
import * as topics from '../topics.ts'
import { withCountsOfOne } from './counts.ts'
import type { Event, events } from './resource.ts'

/** Deletes an event for good: at once for everybody, while its data goes in the background (deleting.ts). */
export async function deleteEvent(
  dependencies: Dependencies,
  { params: { event_id }, query: { title }, caller }: Call<typeof events.actions.delete>,
): Promise<Event> {
  if (required(caller).event_id) throw new Fault('forbidden')
  const { bus, events, deleting } = dependencies
  if (title === undefined) throw invalid({ title: [messageOf('blank')] })
  const event = await withCountsOfOne(dependencies, found(await events.get(event_id)))
  // Announced in any case: an earlier try may have died before it said so.
  const deleted = await bus.announcing(topics.archived, { event_id }, events.beginDeletion(event_id, title))
  if (!deleted) throw invalid({ title: [messageOf('other_title')] })
  deleting.start()
  return event
}
