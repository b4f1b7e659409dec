import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import type { Caller } from '@gatehouse/proto/declaring/resource.ts'
import { events } from './permissions.ts'
import { retried } from './retry.ts'

/** The owner of an event as the caller for `tool`. Throws one sentence when there is no such event. */
export async function ownerOf(bus: Bus, eventId: string, tool: string): Promise<Caller> {
  const { account_id } = await retried(() => clientOf(bus, events).owner({ body: { event_id: eventId } }))
  if (!account_id) throw new Error(`There is no event ${eventId}`)
  return { account_id, token_id: tool, scope: 'admin' }
}
