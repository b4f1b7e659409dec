import type { Askable } from '@gatehouse/proto/bus/bus.ts'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { checkIns, connections, guests } from './permissions.ts'

/** Events of webhooks that may have been missed: of which event, and of which time, an hour at most. */
export interface Missed {
  event_id: string
  since: Date
  until: Date
}

/** Publishes check-ins, new guests and leads once more. Webhooks that have heard of them get nothing. */
export async function republish(bus: Askable, body: Missed): Promise<void> {
  await clientOf(bus, guests).republish({ body })
  await clientOf(bus, checkIns).republish({ body })
  await clientOf(bus, connections).republish({ body })
}
