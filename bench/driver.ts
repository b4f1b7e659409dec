import { randomBytes } from 'node:crypto'
import { ACCESS_GRANTED } from '@gatehouse/door/decision.ts'
import { openStore } from '@gatehouse/proto/storage/mongo.ts'
import { ScopedCache } from '@gatehouse/proto/storage/scoped-cache.ts'
import { ObjectId } from 'mongodb'
import { type CheckIn, CheckInStore, isApart } from '../services/checkin/check-ins/store.ts'
import { BadgeOrderStore } from '../services/guests/badge-orders/store.ts'
import { GuestStore, type StoredGuest } from '../services/guests/guests/store.ts'
import { InvitationStore, type StoredInvitation } from '../services/partners/delivery/invitations/store.ts'
import { guestOf, invitationOf, KNOWN, uidOf } from './documents.ts'
import type { LoadResult } from './load.ts'
import { type Scans, scanOf } from './requests.ts'
import { serveJobs } from './serve-jobs.ts'

/*
 * The database driver alone, in a separate process with the connection settings of a service: the floor of all that stores or reads. It uses
 * the stores of several services to get the same indexes, which no service may do.
 */

/** A job for the driver. */
export interface DriverJob {
  kind: 'insertOne' | 'insertMany' | 'insertGuests' | 'insertInvitations' | 'guests' | 'cursor'
  concurrency: number
  seconds: number
  /** Documents of one operation. */
  size: number
  /** For `guests` and `cursor`: the event, and how many guests to skip. */
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
await new InvitationStore(own.db).prepare()
const invitations = own.db.collection<StoredInvitation>('invitations')
const newGuests = own.db.collection<StoredGuest>('guests')
const guests = (await openStore(url, namespace, 'guests')).db.collection<{ _id: string; event_id: string }>('guests')

async function run(work: DriverJob): Promise<LoadResult> {
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
  // An import is compared by guests a second.
  const requests = latencies.length * (work.kind === 'insertGuests' ? work.size : 1)
  return { requests, seconds, latencies: latencies.sort((a, b) => a - b), statuses: {} }
}

async function operation({ kind, size, event_id = '', skip = 0 }: DriverJob): Promise<() => Promise<unknown>> {
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
  if (kind === 'insertInvitations') {
    const owner = { event_id: someId(), partner_id: someId(), partner_campaign_id: someId(), reservation: someId() }
    return () => {
      const documents = Array.from({ length: size }, () => invitationOf(made++, owner))
      return invitations.insertMany(documents, { ordered: false })
    }
  }
  // Exactly the documents of that page, from a known position in the index: no service could read them cheaper.
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
async function readAll({ event_id = '', size }: DriverJob): Promise<LoadResult> {
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

serveJobs(run)

/** A check-in as checkin stores it for the bench's batches: half have slot 1, half their own id as slot. */
function checkIn(): CheckIn {
  const n = made++
  const { access_stamp, ...scan } = scanOf(scans, n)
  const stamp = new Date(access_stamp)
  const now = new Date()
  // As checkin makes ids: the seconds of the stamp, then random bytes, which spread over the index.
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
