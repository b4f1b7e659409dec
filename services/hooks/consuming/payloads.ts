import { derivedId } from '@gatehouse/proto/bus/client.ts'
import type { DomainMessage } from '@gatehouse/proto/events/domain-events.ts'

/**
 * The id of what happened to an item, the same however often it is heard of: a thing is created and deleted once; all else can happen to
 * it again. What comes back under its old id, as a deleted guest does by another import, has another creation.
 */
export function occurrenceId({ id, type }: DomainMessage, item: { _id: string; created_at?: string }): string {
  const happensOnce = /\.(created|deleted)$/.test(type)
  return derivedId(type, item._id, happensOnce ? (item.created_at ?? '') : id)
}

/** What receivers and live feeds get, as JSON: of each item in turn. */
export function payloadsOf({ type, event_id, at, texts }: DomainMessage): string[] {
  const head = JSON.stringify({ type, timestamp: at, event_id })
  return texts.map((text) => `${head.slice(0, -1)},"data":${text}}`)
}
