import { derivedId } from '@gatehouse/proto/calls.ts'
import type { DomainMessage } from '@gatehouse/proto/domain.ts'
import type { Verified } from './verification.ts'

/** One thing that happened. */
export interface Happening {
  /** The same however often it is heard of. */
  id: string
  message: DomainMessage
  item: { _id: string }
  /** What receivers and live feeds get. */
  payload: string
}

/** What a message tells of, one by one. */
export function happeningsOf({ message, items }: Pick<Verified, 'message' | 'items'>): Happening[] {
  return items.map((item) => happeningOf(message, item))
}

/** A thing is created and deleted once; all else can happen to it again. */
function happeningOf(message: DomainMessage, item: { _id: string }): Happening {
  const { id, type, event_id, at } = message
  const happensOnce = /\.(created|deleted)$/.test(type)
  return {
    id: derivedId(type, item._id, happensOnce ? '' : id),
    message,
    item,
    payload: JSON.stringify({ type, timestamp: at, event_id, data: item }),
  }
}
