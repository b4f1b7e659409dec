import { setTimeout as sleep } from 'node:timers/promises'
import { ACCESS_GRANTED } from '@gatehouse/door/decision.ts'
import { Semaphore } from '@gatehouse/proto/concurrency/semaphore.ts'
import { timeSlicer } from '@gatehouse/proto/concurrency/time-slices.ts'
import { possibleUids } from '@gatehouse/proto/declaring/visible.ts'
import { StoredList } from '@gatehouse/proto/formats/raw-documents.ts'
import { after, findIdsRaw, type PageQuery, storedPage } from '@gatehouse/proto/storage/paging.ts'
import type { Collection, Db, Document, Filter } from 'mongodb'
import { BY_CONFLICT, BY_REFUSAL, BY_SLOT, BY_STAMP } from './indexes.ts'
import type { CheckIn } from './store.ts'

/** Which check-ins of an event are listed. */
export interface CheckInFilter {
  /** At one of these check-in points. */
  points?: readonly string[] | undefined
  guest_uid?: string | undefined
  access_status?: number | undefined
  /** The earliest access stamp. */
  since?: Date | undefined
  /** The access stamp after the latest one. */
  before?: Date | undefined
}

type Position = Pick<CheckIn, '_id' | 'access_stamp'>

const ORDER = { access_stamp: -1, _id: -1 } as const
/** Check-ins of the first chunk, and of the largest. Chunks double: a frequent filter fills its page with the first ones. */
const FIRST_CHUNK = 1_000
const MAX_CHUNK = 20_000
/** A guest's check-ins, granted or refused, that are sorted in memory; of a guest with more of them every chunk holds some. */
const MANY = 5_000
/** One request at a time goes through an event, which takes a store's core; the others wait for their turn. */
const AT_ONCE = 1
/** Whoever waits longer would miss the deadline of the request. */
const MAX_WAIT_MS = 3_000

/**
 * Pages of an event's check-ins, highest access stamp first. A guest's are found by indexes. Points and statuses have none, which would slow each
 * scan: the check-ins between `since` and `before` are gone through in chunks, between which the door goes first.
 */
export class CheckInPages {
  readonly #checkIns: Collection<CheckIn>
  readonly #turns = new Semaphore(AT_ONCE, AT_ONCE)
  readonly #firstChunk: number

  constructor(db: Db, firstChunk = FIRST_CHUNK) {
    this.#checkIns = db.collection('access_controls')
    this.#firstChunk = firstChunk
  }

  async page(event_id: string, filter: CheckInFilter, page: PageQuery): Promise<StoredList<CheckIn>> {
    const query = queryOf(event_id, filter)
    const { points, guest_uid, access_status } = filter
    if (points?.length === 0) return new StoredList<CheckIn>([])
    if (!points && guest_uid === undefined && access_status === undefined)
      return storedPage(this.#checkIns, query, ORDER, page, { index: BY_STAMP })
    const ofGuest = guest_uid === undefined ? undefined : await this.#idsOfGuest(query, filter, page)
    const ids =
      ofGuest ?? (await this.#turns.run(event_id, 1, MAX_WAIT_MS, () => this.#idsInChunks(event_id, filter, page)))
    return new StoredList<CheckIn>(await findIdsRaw(this.#checkIns, ids, {}))
  }

  /** Those that their devices decided otherwise. */
  async conflicts(event_id: string, filter: CheckInFilter, page: PageQuery): Promise<StoredList<CheckIn>> {
    const query = { ...queryOf(event_id, filter), is_conflict: true } as const
    return storedPage(this.#checkIns, query, ORDER, page, { index: BY_CONFLICT })
  }

  /** The ids of a page of a guest's check-ins; undefined if there are too many to sort. */
  async #idsOfGuest(
    query: Filter<CheckIn>,
    { access_status }: CheckInFilter,
    { page, per_page }: PageQuery,
  ): Promise<string[] | undefined> {
    const find = (hint: string, status: Filter<CheckIn>['access_status']): Promise<Position[]> =>
      this.#checkIns
        .find({ $and: [query, { access_status: status }] } as Filter<CheckIn>, { hint, limit: MANY + 1 })
        .project<Position>({ access_stamp: 1 })
        .toArray()
    const [granted, refused] = await Promise.all([
      access_status === undefined || access_status === ACCESS_GRANTED ? find(BY_SLOT, ACCESS_GRANTED) : [],
      access_status === ACCESS_GRANTED ? [] : find(BY_REFUSAL, { $gt: ACCESS_GRANTED }),
    ])
    if (granted.length > MANY || refused.length > MANY) return undefined
    // A granted check-in for several persons has an entry of the index for each.
    const byId = new Map([...granted, ...refused].map((each) => [each._id, each]))
    const sorted = [...byId.values()].sort(compare)
    return sorted.slice((page - 1) * per_page, page * per_page).map(({ _id }) => _id)
  }

  /** The ids of a page, found by going through the check-ins in the order of the list. */
  async #idsInChunks(event_id: string, filter: CheckInFilter, { page, per_page }: PageQuery): Promise<string[]> {
    const { since, before } = filter
    const ids: string[] = []
    let skip = (page - 1) * per_page
    let rest: Document = queryOf(event_id, { since, before })
    for (let size = this.#firstChunk; ; size = Math.min(2 * size, MAX_CHUNK)) {
      const begun = performance.now()
      const last = await this.#lastOf(rest, size)
      const chunk = { $and: [rest, ...(last ? [upTo(last)] : []), queryOf(event_id, filter)] } as Filter<CheckIn>
      const skipped = skip === 0 ? 0 : await this.#checkIns.countDocuments(chunk, { hint: BY_STAMP, limit: skip })
      skip -= skipped
      if (skip === 0) ids.push(...(await this.#idsIn(chunk, skipped, per_page - ids.length)))
      if (!last || ids.length === per_page) return ids
      rest = { $and: [queryOf(event_id, { since }), after(ORDER, last)] }
      if (timeSlicer.servesOthers) await sleep(performance.now() - begun)
    }
  }

  /** The last position among the first `size` check-ins, read from the index alone; undefined if there are no more than these. */
  async #lastOf(rest: Document, size: number): Promise<Position | undefined> {
    const [last] = await this.#checkIns
      .find(rest as Filter<CheckIn>, { hint: BY_STAMP, sort: ORDER, skip: size - 1, limit: 1 })
      .project<Position>({ _id: 1, access_stamp: 1 })
      .toArray()
    return last
  }

  async #idsIn(chunk: Filter<CheckIn>, skip: number, limit: number): Promise<string[]> {
    const found = this.#checkIns.find(chunk, { hint: BY_STAMP, sort: ORDER, skip, limit, batchSize: limit + 1 })
    return (await found.project<{ _id: string }>({ _id: 1 }).toArray()).map(({ _id }) => _id)
  }
}

function queryOf(event_id: string, filter: CheckInFilter): Filter<CheckIn> {
  const { points, guest_uid, access_status, since, before } = filter
  return {
    event_id,
    ...(points && { accesspoint_id: { $in: [...points] } }),
    ...(guest_uid !== undefined && { guest_uid: { $in: possibleUids(guest_uid) } }),
    ...(access_status !== undefined && { access_status }),
    ...((since || before) && { access_stamp: { ...(since && { $gte: since }), ...(before && { $lt: before }) } }),
  }
}

/** The filter of the check-ins up to a position. The first field has a bound of its own, so that an index scan can end there. */
function upTo({ access_stamp, _id }: Position): Document {
  return {
    access_stamp: { $gte: access_stamp },
    $or: [{ access_stamp: { $gt: access_stamp } }, { _id: { $gte: _id } }],
  }
}

function compare(one: Position, other: Position): number {
  return other.access_stamp.getTime() - one.access_stamp.getTime() || (one._id < other._id ? 1 : -1)
}
