import { ACCESS_GRANTED } from '@gatehouse/door/decision.ts'
import { timeOfRequest } from '@gatehouse/proto/bus/request-ids.ts'
import { inChunks } from '@gatehouse/proto/concurrency/chunks.ts'
import { Semaphore } from '@gatehouse/proto/concurrency/semaphore.ts'
import { timeSlicer } from '@gatehouse/proto/concurrency/time-slices.ts'
import { invalid, notFound, unavailable } from '@gatehouse/proto/declaring/faults.ts'
import {
  alsoWrong,
  type Call,
  type Handlers,
  isRejected,
  type Output,
  required,
} from '@gatehouse/proto/declaring/resource.ts'
import { requireAnHour } from '@gatehouse/proto/events/republishing.ts'
import { reusedKey, runningKey } from '@gatehouse/proto/serving/idempotency.ts'
import type { ChangeLog } from '@gatehouse/proto/storage/change-log.ts'
import { checkPoint, pointsOf, withinReach } from '../accesspoints/reach.ts'
import { type AccesspointStore, NO_POINT } from '../accesspoints/store.ts'
import type { EventTotals } from '../counting/event-totals.ts'
import type { Scan } from '../door/decision.ts'
import type { Door } from '../door/door.ts'
import type { Decided } from '../door/flush.ts'
import type { CheckInPublisher } from '../publishing/publisher.ts'
import type { SignatureStore } from '../signatures/store.ts'
import type { checkIns } from './resource.ts'
import { isSameScan, naturalId } from './scan-identity.ts'
import { statisticsOf } from './statistics.ts'
import type { CheckIn, CheckInStore } from './store.ts'

/** A longer batch goes to the door in chunks, one after the other: in between the process answers single scans. A chunk costs a round trip to each store. */
const CHUNKS = { size: () => (timeSlicer.servesOthers ? 100 : 500), concurrency: 1 }
/** How many chunks of all long batches are at the door at once: one is stored while the next is prepared. Accounts take turns. */
const AT_THE_DOOR = 2
/** A chunk that waits longer for its turn would miss the deadline of its request. */
const MAX_WAIT_MS = 10_000

type CheckInBatch = Call<(typeof checkIns)['actions']['batch_create']>
type Items = CheckInBatch['body']

/** The actions of check-ins. */
export function checkInHandlers(
  store: CheckInStore,
  signatures: SignatureStore,
  accesspoints: AccesspointStore,
  eventTotals: EventTotals,
  door: Door,
  changeLog: ChangeLog,
  publisher: CheckInPublisher,
): Handlers<typeof checkIns> {
  /** The requests with an `Idempotency-Key` that are being decided here, by the ids of their scans. */
  const running = new Map<string, string | undefined>()
  const atTheDoor = new Semaphore(AT_THE_DOOR, AT_THE_DOOR)

  async function statistics(event_id: string, canWait: boolean): Promise<Output<typeof checkIns.actions.statistics>> {
    const [sums, signatureCounts] = await Promise.all([
      eventTotals.sums(event_id, canWait),
      signatures.countByEvent([event_id]),
    ])
    return statisticsOf(sums, signatureCounts.get(event_id) ?? 0)
  }

  /** Decides a single scan. Throws its errors (422). */
  async function enter(scan: Scan): Promise<Decided> {
    const [outcome] = await door.enter(scan.event_id, [scan])
    if (!outcome) throw unavailable()
    if ('errors' in outcome) throw invalid(outcome.errors)
    return outcome
  }

  /** Decides a scan with an `Idempotency-Key`. Throws 409 while another request with the key is at work here and nothing is stored. */
  async function enterOnce(scan: Scan, request_id: string | undefined): Promise<Decided> {
    const { _id } = scan
    const isSameRequest = request_id !== undefined && running.get(_id) === request_id
    if (running.has(_id) && !isSameRequest) {
      // It may be answered: by another process, when this one was slow.
      const checkIn = (await store.findMany([_id])).get(_id)
      if (!checkIn) throw runningKey()
      return { checkIn, repeated: true }
    }
    running.set(_id, request_id)
    try {
      return await enter(scan)
    } finally {
      running.delete(_id)
    }
  }

  /**
   * The stored check-in of a scan that is sent again, with what its device has decided since it asked first. Undefined if its key stands for
   * another scan.
   */
  async function known(checkIn: CheckIn, scan: Scan): Promise<CheckIn | undefined> {
    if (!isSameScan(checkIn, scan)) return undefined
    const { decided_offline } = scan
    const isNews = decided_offline !== undefined && checkIn.decided_offline === undefined
    return isNews ? store.noteDecision(checkIn, decided_offline) : checkIn
  }

  /** Those ids that are not check-in points of the event. */
  async function unknownOf(event_id: string, ids: string[]): Promise<Set<string>> {
    const known = ids.length === 0 ? [] : await accesspoints.known(event_id, ids)
    return new Set(ids).difference(new Set(known))
  }

  /** Decides items of a batch. Returns the check-in or the errors of each. */
  async function enterAll(
    { params, caller, newId, request_id }: CheckInBatch,
    items: Items,
  ): Promise<Output<typeof checkIns.actions.batch_create>> {
    const { event_id } = params
    const given = items.flatMap((item) => (isRejected(item) ? [] : [item]))
    const uids = await door.uidsOf(
      event_id,
      given.map(({ guest_uid }) => guest_uid),
    )
    const scans: Scan[] = []
    const asked_at = request_id ? timeOfRequest(request_id) : undefined
    for (const [index, item] of given.entries()) {
      const { accesspoint_id } = item
      const guest_uid = uids[index] as string
      const access_stamp = item.access_stamp ?? undefined
      const decided_offline = item.decided_offline ?? undefined
      const _id = access_stamp ? naturalId(caller, event_id, access_stamp, { accesspoint_id, guest_uid }) : newId()
      scans.push({ _id, event_id, accesspoint_id, guest_uid, access_stamp, decided_offline, asked_at })
    }
    const pointsOfRefused = items.flatMap((item) => (isRejected(item) ? (item.given?.accesspoint_id ?? []) : []))
    const [outcomes, unknown] = await Promise.all([
      door.enter(event_id, scans, true),
      unknownOf(event_id, pointsOfRefused),
    ])
    // The id may stand for another scan: a single check-in had the same Idempotency-Key.
    const entered = await Promise.all(
      outcomes.map(async (outcome, index) => {
        if ('errors' in outcome || !outcome.repeated) return outcome
        const checkIn = await known(outcome.checkIn, scans[index] as Scan)
        return checkIn ? { checkIn } : { errors: reusedKey().errors ?? {} }
      }),
    )
    let next = 0
    return items.map((item) => {
      if (isRejected(item)) return alsoWrong(item, unknown.has(item.given?.accesspoint_id ?? '') ? NO_POINT : {})
      const outcome = entered[next++] as (typeof entered)[number]
      return 'errors' in outcome ? outcome : outcome.checkIn
    })
  }

  return {
    async list({ params, query: { conflicts, guest_uid, ...page }, caller }) {
      const only = { points: pointsOf(caller), guest_uid }
      return conflicts ? store.conflicts(params.event_id, page, only) : store.list(params.event_id, page, only)
    },

    async create(call) {
      const { params, body: given, accept, caller, newId, idempotency_key, request_id } = call
      checkPoint(caller, given)
      const body = await accept({}, async () => {
        const { accesspoint_id } = given
        const unknown = await unknownOf(params.event_id, accesspoint_id === undefined ? [] : [accesspoint_id])
        return unknown.size > 0 ? NO_POINT : {}
      })
      const [guest_uid = body.guest_uid] = await door.uidsOf(params.event_id, [body.guest_uid])
      const scan: Scan = {
        _id: newId(),
        event_id: params.event_id,
        ...body,
        guest_uid,
        access_stamp: body.access_stamp ?? undefined,
        decided_offline: body.decided_offline ?? undefined,
        asked_at: request_id ? timeOfRequest(request_id) : undefined,
      }
      if (!idempotency_key) return (await enter(scan)).checkIn
      const { checkIn, repeated } = await enterOnce(scan, request_id)
      call.replayed = repeated
      if (!repeated) return checkIn
      const stored = await known(checkIn, scan)
      if (!stored) throw reusedKey()
      return stored
    },

    async batch_create(call) {
      const { caller } = call
      const body = withinReach(caller, call.body)
      if (body.length <= CHUNKS.size()) return enterAll(call, body)
      const enterChunk = async (items: Items) => {
        const start = performance.now()
        const entered = await enterAll(call, items)
        await timeSlicer.rest(performance.now() - start)
        return entered
      }
      return inChunks(
        body,
        (items) => atTheDoor.run(required(caller).account_id, 1, MAX_WAIT_MS, () => enterChunk(items)),
        CHUNKS,
      )
    },

    async delete({ params }) {
      const { event_id, id } = params
      const checkIn = await store.get(event_id, id)
      if (!checkIn) throw notFound()
      // Every door must know of the gap before the deletion makes it.
      if (checkIn.access_status === ACCESS_GRANTED && (await accesspoints.markGaps(event_id, checkIn.accesspoint_id)))
        await changeLog.add(event_id, { rights: true })
      const deleted = await store.delete(checkIn)
      if (!deleted) throw notFound()
      return deleted
    },

    async counts({ body }) {
      const [checkInCounts, signatureCounts] = await Promise.all([
        Promise.all(body.event_ids.map((event_id) => eventTotals.count(event_id))),
        signatures.countByEvent(body.event_ids),
      ])
      return body.event_ids.map((event_id, index) => ({
        event_id,
        check_in_count: checkInCounts[index] as number,
        signature_count: signatureCounts.get(event_id) ?? 0,
      }))
    },

    async republish({ body: { event_id, since, until } }) {
      requireAnHour({ since, until })
      await publisher.republish(event_id, since, until)
      return {}
    },

    async statistics({ body }) {
      return statistics(body.event_id, false)
    },

    async follow({ body }) {
      return statistics(body.event_id, true)
    },
  }
}
