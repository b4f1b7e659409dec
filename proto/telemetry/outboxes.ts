import type { Collection, Document } from 'mongodb'
import { instruments, observeGauges } from './metrics.ts'

/** A service may leave more entries behind than are worth counting at each collection. */
const MAX_COUNTED = 10_000

/**
 * Lets metrics show how many entries of an outbox wait, and how long the oldest has, by a date of it that has an index: `events` are to be
 * published, `audit` records to be delivered.
 */
export function observeOutbox<T extends Document>(
  outbox: 'events' | 'audit',
  entries: Collection<T>,
  since: keyof T & string,
): void {
  observeGauges([instruments.outboxDepth, instruments.outboxAge], { outbox }, async () => {
    const [depth, oldest] = await Promise.all([
      entries.countDocuments({}, { limit: MAX_COUNTED }),
      entries.findOne({}, { sort: { [since]: 1 }, projection: { [since]: 1 } }),
    ])
    return [depth, oldest ? Math.max(0, Date.now() - (oldest[since] as Date).getTime()) / 1_000 : 0]
  })
}
