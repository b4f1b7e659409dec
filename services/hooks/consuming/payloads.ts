import { derivedId } from '@gatehouse/proto/bus/client.ts'
import type { DomainMessage } from '@gatehouse/proto/events/domain-events.ts'

/**
 * The id of an item's occurrence in an event, the same for each delivery of the event. An item is created and deleted once; other events
 * can happen to it again. An item that is created again under its old id, as by another import, has another creation.
 */
export function occurrenceId({ id, type }: DomainMessage, item: { _id: string; created_at?: string }): string {
  const happensOnce = /\.(created|deleted)$/.test(type)
  return derivedId(type, item._id, happensOnce ? (item.created_at ?? '') : id)
}

/** The standard payload of each item in turn, as JSON for webhooks and live feeds. */
export function payloadsOf({ type, event_id, at, texts }: DomainMessage): string[] {
  const head = JSON.stringify({ type, timestamp: at, event_id })
  return texts.map((text) => `${head.slice(0, -1)},"data":${text}}`)
}
