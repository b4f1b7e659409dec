import { randomBytes } from 'node:crypto'
import { openStore } from '@gatehouse/proto/storage/mongo.ts'
import { ScopedCache } from '@gatehouse/proto/storage/scoped-cache.ts'
import { ObjectId } from 'mongodb'
import { type CheckIn, CheckInStore } from '../services/checkin/check-ins/store.ts'
import { isApart } from '../services/checkin/counting/arrival.ts'
import { ACCESS_GRANTED } from '../services/checkin/door/decision.ts'
import { BadgeOrderStore } from '../services/guests/badge-orders/store.ts'
import { GuestStore, type StoredGuest } from '../services/guests/guests/store.ts'
import { KNOWN } from './cases.ts'
import { guestOf, uidOf } from './documents.ts'
import type { LoadResult } from './load.ts'
import { type Scans, scanOf } from './requests.ts'

/*
 * What the database's driver does alone, in a process of its own with a service's connection settings: the floor of whatever stores or
 * reads. It reaches into the services for their indexes, which is what makes it comparable, and which no service may do.
 */

/** What the driver is told to do. */
export interface Work {
  kind: 'insertOne' | 'insertMany' | 'insertGuests' | 'guests' | 'cursor'
  concurrency: number
  seconds: number
  /** Documents at once. */
  size: number
  /** Of `guests` and `cursor`: whose; and how many to pass over. */
  event_id?: string
  skip?: number
}

const NEWEST_FIRST = { created_at: -1, _id: -1 } as const

const { MONGODB_URL: url = '', NAMESPACE: namespace = '' } = process.env
const own = await openStore(url, namespace, 'driver')
await new CheckInStore(own.db).prepare()
const checkIns = own.db.collection<CheckIn>('access_controls')
await new GuestStore(own.db, new ScopedCache()).prepare()
await new BadgeOrderStore(own.db).prepare()
const newGuests = own.db.collection<StoredGuest>('guests')
const guests = (await openStore(url, namespace, 'guests')).db.collection<{ _id: string; event_id: string }>('guests')

process.on('message', (work: Work) => {
  run(work).then(
    (result) => process.send?.({ result }),
    (error: Error) => process.send?.({ error: error.message }),
  )
})
process.on('disconnect', () => process.exit(0))
process.send?.({ ready: true })

async function run(work: Work): Promise<LoadResult> {
  if (work.kind === 'cursor') return readAll(work)
  const once = await operation(work)
  const latencies: number[] = []
  const start = performance.now()
  const until = start + work.seconds * 1_000
  await Promise.all(
    Array.from({ length: work.concurrency }, async () => {
      while (performance.now() < until) {
        const begun = performance.now()
        await once()
        latencies.push(performance.now() - begun)
      }
    }),
  )
  const seconds = (performance.now() - start) / 1_000
  // An import is told in guests.
  const requests = latencies.length * (work.kind === 'insertGuests' ? work.size : 1)
  return { requests, seconds, latencies: latencies.sort((a, b) => a - b), statuses: {} }
}

async function operation({ kind, size, event_id = '', skip = 0 }: Work): Promise<() => Promise<unknown>> {
  if (kind === 'insertOne') return () => checkIns.insertOne(checkIn())
  if (kind === 'insertMany') {
    return () => checkIns.insertMany(Array.from({ length: size }, checkIn), { ordered: false })
  }
  if (kind === 'insertGuests') {
    const ownEvent = someId()
    let next = 0
    return () => {
      const documents = Array.from({ length: size }, () => guestOf(next++, ownEvent, category, Date.now()))
      return newGuests.insertMany(documents, { ordered: false })
    }
  }
  // The very documents of that page, asked for by their ids' neighbourhood in the index, as no service could do it cheaper.
  const [first] = await guests.find({ event_id }).sort(NEWEST_FIRST).skip(skip).limit(1).toArray()
  if (!first) throw new Error(`the event has no guest ${skip + 1}: page 200 needs --guests 100000`)
  const from = (first as unknown as { created_at: Date }).created_at
  const wanted = { event_id, created_at: { $lte: from } }
  return () =>
    guests
      .find(wanted, { projection: { search_words: 0, guest_metadata: 0 } })
      .sort(NEWEST_FIRST)
      .limit(size)
      .toArray()
}

/** All guests of the event, newest first, through one cursor. */
async function readAll({ event_id = '', size }: Work): Promise<LoadResult> {
  const start = performance.now()
  let requests = 0
  for await (const guest of guests.find({ event_id }, { batchSize: size }).sort(NEWEST_FIRST)) if (guest) requests++
  const took = performance.now() - start
  return { requests, seconds: took / 1_000, latencies: [took], statuses: {} }
}

const event_id = new ObjectId().toHexString()
const someId = (): string => new ObjectId().toHexString()
const category = someId()
const scans: Scans = {
  from: 0,
  always: someId(),
  once: Array.from({ length: 1_000 }, someId),
  uids: Array.from({ length: KNOWN }, (_, n) => uidOf(n)),
}
let made = 0

/** Documents as the door stores them of the bench's batches: half take the first slot, half one of their own. */
function checkIn(): CheckIn {
  const n = made++
  const { access_stamp, ...scan } = scanOf(scans, n)
  const stamp = new Date(access_stamp)
  const now = new Date()
  // As the door's: the stamp's seconds, then nothing that an index could foresee.
  const _id = Math.floor(stamp.getTime() / 1_000).toString(16) + randomBytes(8).toString('hex')
  return {
    _id,
    event_id,
    ...scan,
    access_stamp: stamp,
    ...(isApart(stamp, now.getTime()) && { arrived_at: now }),
    access_status: ACCESS_GRANTED,
    created_at: now,
    updated_at: now,
    slot: n % 2 ? _id : 1,
  }
}
