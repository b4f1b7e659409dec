import { openStore } from '@gatehouse/proto/storage/mongo.ts'
import type { CheckIn } from '../services/checkin/check-ins/store.ts'
import type { StoredGuest } from '../services/guests/guests/store.ts'
import { checkInOf, guestOf } from './documents.ts'
import { serveJobs } from './serve-jobs.ts'

/* Fills events through the driver, in a separate process: two of them take half as long as one. */

/** A range of guests or check-ins. */
export interface SeedRange {
  what: 'guests' | 'checkIns'
  event_id: string
  /** The number of the first document, and of the one after the last. */
  from: number
  to: number
  /** The number of guests of the event. */
  guests: number
  category: string
  points: string[]
  /** The times of the first guest and of the last check-in, in milliseconds. */
  begin: number
  end: number
}

/** Documents of one insertMany. */
const CHUNK = 1_000

const { MONGODB_URL: url = '', NAMESPACE: namespace = '' } = process.env
const guests = (await openStore(url, namespace, 'guests')).db.collection<StoredGuest>('guests')
const checkIns = (await openStore(url, namespace, 'checkin')).db.collection<CheckIn>('access_controls')

serveJobs(seed)

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
