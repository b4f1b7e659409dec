import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { type Client, clientOf } from '@gatehouse/proto/bus/client.ts'
import type { Output } from '@gatehouse/proto/declaring/resource.ts'
import { type ArchivedData, eventData } from '../permissions.ts'
import { retried } from '../retry.ts'

/** What a service says of one of its collections. */
export type CollectionContents = Output<ArchivedData['actions']['contents']>[number]

/** A service that holds data of events. */
export interface ArchivedService {
  name: string
  client: Client<ArchivedData>
}

/** Whose data is meant. */
export interface EventOfAccount {
  account_id: string
  event_id: string
}

/** The services with data of events, in the order of an import: guests first, since badges deletes files that belong to no guest. */
export function archivedServices(bus: Bus): ArchivedService[] {
  return eventData.map((each) => ({ name: each.service, client: clientOf(bus, each) }))
}

/** A collection of a service, and what it holds of an event. */
export type ArchivedPart = ArchivedService & { collection: CollectionContents; file: string }

/** The collections of all services, those that stay included. */
export async function partsOf(services: ArchivedService[], event: EventOfAccount): Promise<ArchivedPart[]> {
  const parts: ArchivedPart[] = []
  for (const service of services)
    for (const collection of await retried(() => service.client.contents({ body: event })))
      parts.push({ ...service, collection, file: `${service.name}.${collection.name}.jsonl` })
  return parts
}
