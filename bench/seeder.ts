import { openStore } from '@gatehouse/proto/storage/mongo.ts'
import type { CheckIn } from '../services/checkin/check-ins/store.ts'
import type { StoredGuest } from '../services/guests/guests/store.ts'
import { checkInOf, guestOf } from './documents.ts'

/* Fills events through the driver, in a process of its own: two of them take half as long as one. */

/** A stretch of guests or check-ins. */
export interface SeedRange {
  what: 'guests' | 'checkIns'
  event_id: string
  /** The first, and the one after the last. */
  from: number
  to: number
  /** The event's guests. */
  guests: number
  category: string
  points: string[]
  /** When the first guest was created, and when the last check-in was. Milliseconds. */
  begin: number
  end: number
}

/** Documents of one insertMany. */
const CHUNK = 1_000

const { MONGODB_URL: url = '', NAMESPACE: namespace = '' } = process.env
const guests = (await openStore(url, namespace, 'guests')).db.collection<StoredGuest>('guests')
const checkIns = (await openStore(url, namespace, 'checkin')).db.collection<CheckIn>('access_controls')

process.on('message', (range: SeedRange) => {
  seed(range).then(
    () => process.send?.({ result: {} }),
    (error: Error) => process.send?.({ error: error.message }),
  )
})
process.on('disconnect', () => process.exit(0))
process.send?.({ ready: true })

async function seed({
  what,
  event_id,
  from,
  to,
  guests: count,
  category,
  points,
  begin,
  end,
}: SeedRange): Promise<void> {
  for (let at = from; at < to; at += CHUNK) {
    const numbers = Array.from({ length: Math.min(CHUNK, to - at) }, (_, index) => at + index)
    if (what === 'guests') {
      const documents = numbers.map((n) => guestOf(n, event_id, category, begin))
      await guests.insertMany(documents, { ordered: false })
    } else {
      const documents = numbers.map((n) => checkInOf(n, event_id, points, count, end))
      await checkIns.insertMany(documents, { ordered: false })
    }
  }
}
