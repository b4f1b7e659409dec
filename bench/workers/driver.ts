import { randomBytes } from 'node:crypto'
import { ACCESS_GRANTED } from '@gatehouse/door/decision.ts'
import { openStore } from '@gatehouse/proto/storage/mongo.ts'
import { type CheckIn, CheckInStore, isApart } from '../../services/checkin/check-ins/store.ts'
import { FIRST_SLOT } from '../../services/checkin/door/decision.ts'
import { BadgeOrderStore } from '../../services/guests/badge-orders/store.ts'
import { GuestStore, type StoredGuest } from '../../services/guests/guests/store.ts'
import { InvitationStore, type StoredInvitation } from '../../services/partners/delivery/invitations/store.ts'
import { guestOf, invitationOf, newId, SCANNED_GUESTS, uidOf } from '../documents.ts'
import { scanOf } from './requests.ts'
import { type LoadResult, resultOf, serveJobs } from './worker.ts'

/*
 * The database driver alone, with the connection settings of a service: the floor of all that stores or reads. It uses the stores of several services
 * to get the same indexes, which no service may do.
 */

/** A job for the driver. */
export type DriverJob = {
  worker: 'driver'
} /** Stores so many documents at once, in two operations at a time, or alone if it is one. */ & (
  | { kind: 'checkIns' | 'guests' | 'invitations'; size: number; seconds: number }
  /** Reads a page of guests, of `size` after the first `skip`. */
  | { kind: 'page'; event_id: string; skip: number; size: number; seconds: number }
  /** Stores the guests of an event of the system. */
  | { kind: 'seed'; event_id: string; category: string; count: number; party_size: number }
  /** Stores a check-in of each of the first guests of an event, of half an hour that ended an hour ago. */
  | { kind: 'inside'; event_id: string; accesspoint_id: string; count: number }
)

const NEWEST_FIRST = { created_at: -1, _id: -1 } as const
const HOUR_MS = 3_600_000
/** Guests of one operation. */
const SEEDED_AT_ONCE = 1_000

const { MONGODB_URL: url = '', NAMESPACE: namespace = '' } = process.env
const own = await openStore(url, namespace, 'driver')
await new CheckInStore(own.db).prepare()
await new GuestStore(own.db).prepare()
await new BadgeOrderStore(own.db).prepare()
await new InvitationStore(own.db).prepare()
const ofSystem = (await openStore(url, namespace, 'guests')).db.collection<StoredGuest>('guests')
const checkInsOfSystem = (await openStore(url, namespace, 'checkin')).db.collection<CheckIn>('access_controls')

serveJobs(run)

async function run(job: DriverJob): Promise<LoadResult> {
  if (job.kind === 'seed') return seed(job)
  if (job.kind === 'inside') return letIn(job)
  const operate = await operationOf(job)
  const latencies: number[] = []
  const start = performance.now()
  const until = start + job.seconds * 1_000
  const work = async (): Promise<void> => {
    while (performance.now() < until) {
      const begun = performance.now()
      await operate()
      latencies.push(performance.now() - begun)
    }
  }
  await Promise.all(job.kind === 'page' ? [work()] : [work(), work()])
  // An import is compared by guests a second.
  const requests = latencies.length * (job.kind === 'guests' ? job.size : 1)
  return resultOf(requests, performance.now() - start, latencies)
}

async function operationOf(job: Exclude<DriverJob, { kind: 'seed' | 'inside' }>): Promise<() => Promise<unknown>> {
  const many = <T>(make: () => T): T[] => Array.from({ length: job.size }, make)
  switch (job.kind) {
    case 'checkIns': {
      const collection = own.db.collection<CheckIn>('access_controls')
      return () => collection.insertMany(many(checkIn), { ordered: false })
    }
    case 'guests': {
      const collection = own.db.collection<StoredGuest>('guests')
      const [event_id, category] = [newId(), newId()]
      let n = 0
      return () =>
        collection.insertMany(
          many(() => guestOf(n++, event_id, category)),
          { ordered: false },
        )
    }
    case 'invitations': {
      const collection = own.db.collection<StoredInvitation>('invitations')
      const owner = { event_id: newId(), partner_id: newId(), partner_campaign_id: newId(), reservation: newId() }
      let n = 0
      return () =>
        collection.insertMany(
          many(() => invitationOf(n++, owner)),
          { ordered: false },
        )
    }
    case 'page':
      return pageReader(job)
  }
}

/** Reads exactly the documents of a page, from a known position in the index: no service could read them cheaper. */
async function pageReader({ event_id, skip, size }: Extract<DriverJob, { kind: 'page' }>) {
  const [first] = await ofSystem.find({ event_id }).sort(NEWEST_FIRST).skip(skip).limit(1).toArray()
  if (!first) throw new Error(`the event has no guest ${skip + 1}: page 200 needs --guests 100000`)
  const wanted = { event_id, created_at: { $lte: first.created_at } }
  const projection = { search_words: 0, guest_metadata: 0 }
  return () => ofSystem.find(wanted, { projection }).sort(NEWEST_FIRST).limit(size).toArray()
}

async function seed({
  event_id,
  category,
  count,
  party_size,
}: Extract<DriverJob, { kind: 'seed' }>): Promise<LoadResult> {
  const start = performance.now()
  const begin = Date.now() - count
  let next = 0
  const store = async (): Promise<void> => {
    while (next < count) {
      const from = next
      next = Math.min(count, from + SEEDED_AT_ONCE)
      const guests = Array.from({ length: next - from }, (_, n) => ({
        ...guestOf(from + n, event_id, category, begin + from + n),
        party_size,
      }))
      await ofSystem.insertMany(guests, { ordered: false })
    }
  }
  await Promise.all([store(), store()])
  return resultOf(count, performance.now() - start)
}

async function letIn({ event_id, accesspoint_id, count }: Extract<DriverJob, { kind: 'inside' }>): Promise<LoadResult> {
  const start = performance.now()
  const end = Date.now() - HOUR_MS
  const checkInAt = (n: number): CheckIn => {
    const at = new Date(end - HOUR_MS / 2 + Math.floor((n / count) * (HOUR_MS / 2)))
    const times = { access_stamp: at, created_at: at, updated_at: at }
    const scan = { event_id, accesspoint_id, guest_uid: uidOf(n) }
    return { _id: newId(), ...scan, access_status: ACCESS_GRANTED, slot: FIRST_SLOT, ...times }
  }
  for (let from = 0; from < count; from += SEEDED_AT_ONCE) {
    const length = Math.min(SEEDED_AT_ONCE, count - from)
    await checkInsOfSystem.insertMany(
      Array.from({ length }, (_, n) => checkInAt(from + n)),
      { ordered: false },
    )
  }
  return resultOf(count, performance.now() - start)
}

const checkInEvent = newId()
const plan = {
  unlimited: newId(),
  once: Array.from({ length: 1_000 }, newId),
  uids: Array.from({ length: SCANNED_GUESTS }, (_, n) => uidOf(n)),
}
let made = 0

/** A check-in as checkin stores it for the bench's batches: half have slot 1, half their own id as slot. */
function checkIn(): CheckIn {
  const n = made++
  const { access_stamp, ...scan } = scanOf(plan, n)
  const stamp = new Date(access_stamp)
  const now = new Date()
  // As checkin makes ids: the seconds of the stamp, then random bytes, which spread over the index.
  const _id = Math.floor(stamp.getTime() / 1_000).toString(16) + randomBytes(8).toString('hex')
  return {
    _id,
    event_id: checkInEvent,
    ...scan,
    access_stamp: stamp,
    ...(isApart(stamp, now.getTime()) && { arrived_at: now }),
    access_status: ACCESS_GRANTED,
    created_at: now,
    updated_at: now,
    slot: n % 2 ? _id : 1,
  }
}
