import type { Client } from '@gatehouse/proto/bus/client.ts'
import type { FieldErrors } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import type { events } from '../permissions.ts'

/** Returns the error for an event of another account; none without an event. */
export async function eventErrors(
  eventClient: Client<typeof events>,
  account_id: string,
  event_id: string | null,
): Promise<FieldErrors> {
  if (event_id === null || (await eventClient.owner({ body: { event_id } })).account_id === account_id) return {}
  return { event_id: [messageOf('unknown_reference', { thing: 'an event', owner: 'account' })] }
}
