import { DUPLICATE_KEY, WHILE_AWAITED, writeErrorsOf } from '@gatehouse/proto/mongo.ts'
import { type Page, pageThrough } from '@gatehouse/proto/paging.ts'
import type { Collection, Db } from 'mongodb'
import { ACCESS_GRANTED } from '../door/decision.ts'

/** A check-in as stored. */
export interface CheckIn {
  _id: string
  event_id: string
  accesspoint_id: string
  guest_uid: string
  access_status: number
  /** The device's time. */
  access_stamp: Date
  /**
   * Of a granted check-in: the numbered access that it takes of its guest at its point, from 1; its own `_id` where there is
   * no limit and the first is taken. No two granted check-ins share one: the unique index keeps anybody from entering twice.
   */
  slot?: number | string
  created_at: Date
  updated_at: Date
}

/** Which accesses of a guest at a point are taken. */
export interface Taken {
  slots: Set<number>
  /** Granted check-ins, those without a numbered slot included. */
  count: number
  /** A further one was granted and is not stored yet. */
  coming: boolean
}

const WRITE_CONFLICT = 112
const ADMITTED_PAGE = 10_000
const TIMELINE_MS = 24 * 3_600_000

/** The check-ins collection. */
export class CheckInStore {
  readonly #checkIns: Collection<CheckIn>

  constructor(db: Db) {
    this.#checkIns = db.collection('access_controls')
  }

  async prepare(): Promise<void> {
    await this.#checkIns.createIndexes([
      {
        key: { event_id: 1, accesspoint_id: 1, guest_uid: 1, slot: 1 },
        unique: true,
        partialFilterExpression: { access_status: ACCESS_GRANTED },
      },
      { key: { event_id: 1, access_stamp: -1, _id: -1 } },
    ])
  }

  /**
   * Stores check-ins. `refused` are those that a unique index or a conflict with another write kept out: an id that is known, or
   * a slot that is taken; `failed` those of which nothing is known. Throws when nothing is known of any.
   */
  async insert(checkIns: CheckIn[]): Promise<{ refused: Set<CheckIn>; failed: Set<CheckIn> }> {
    const refused = new Set<CheckIn>()
    const failed = new Set<CheckIn>()
    if (checkIns.length === 0) return { refused, failed }
    try {
      await this.#checkIns.insertMany(checkIns, { ordered: false })
    } catch (error) {
      const failures = writeErrorsOf(error)
      if (failures.length === 0) throw error
      for (const { index, code } of failures) {
        const which = code === DUPLICATE_KEY || code === WRITE_CONFLICT ? refused : failed
        which.add(checkIns[index] as CheckIn)
      }
    }
    return { refused, failed }
  }

  async findMany(ids: string[]): Promise<Map<string, CheckIn>> {
    const found = await this.#checkIns.find({ _id: { $in: ids } }).toArray()
    return new Map(found.map((checkIn) => [checkIn._id, checkIn]))
  }

  /** What is taken of each of these guests at this point; one query in the unique index. */
  async taken(event_id: string, accesspoint_id: string, uids: string[]): Promise<Map<string, Taken>> {
    const granted = this.#checkIns
      .find({ event_id, accesspoint_id, guest_uid: { $in: uids }, access_status: ACCESS_GRANTED })
      .project<Pick<CheckIn, 'guest_uid' | 'slot'>>({ _id: 0, guest_uid: 1, slot: 1 })
    const found = new Map<string, Taken>()
    for await (const { guest_uid, slot } of granted) {
      const taken = found.get(guest_uid) ?? { slots: new Set(), count: 0, coming: false }
      taken.count++
      if (typeof slot === 'number') taken.slots.add(slot)
      found.set(guest_uid, taken)
    }
    return found
  }

  async get(event_id: string, _id: string): Promise<CheckIn | null> {
    return this.#checkIns.findOne({ _id, event_id })
  }

  /** Highest access stamp first. */
  async list(event_id: string, page: Page): Promise<CheckIn[]> {
    return pageThrough(this.#checkIns, { event_id }, { access_stamp: -1, _id: -1 }, page)
  }

  async delete(event_id: string, _id: string): Promise<CheckIn | null> {
    return this.#checkIns.findOneAndDelete({ _id, event_id })
  }

  async countByEvent(eventIds: string[]): Promise<Map<string, number>> {
    return countByEvent(this.#checkIns, eventIds)
  }

  /** Distinct uids with a granted check-in, in order, those after `after`; an empty page ends. */
  async admitted(event_id: string, after: string | undefined): Promise<string[]> {
    const rows = await this.#checkIns
      .aggregate<{ _id: string }>(
        [
          {
            $match: {
              event_id,
              access_status: ACCESS_GRANTED,
              ...(after !== undefined && { guest_uid: { $gt: after } }),
            },
          },
          { $group: { _id: '$guest_uid' } },
          { $sort: { _id: 1 } },
          { $limit: ADMITTED_PAGE },
        ],
        WHILE_AWAITED,
      )
      .toArray()
    return rows.map(({ _id }) => _id)
  }

  /** Counts by check-in point and status. */
  async countByPoint(event_id: string): Promise<{ accesspoint_id: string; access_status: number; count: number }[]> {
    const rows = await this.#checkIns
      .aggregate<{ _id: { point: string; status: number }; count: number }>(
        [
          { $match: { event_id } },
          { $group: { _id: { point: '$accesspoint_id', status: '$access_status' }, count: { $sum: 1 } } },
        ],
        WHILE_AWAITED,
      )
      .toArray()
    return rows.map(({ _id, count }) => ({ accesspoint_id: _id.point, access_status: _id.status, count }))
  }

  /** Distinct guests with a granted check-in, at each point and in all. */
  async countGuests(event_id: string): Promise<{ byPoint: Map<string, number>; all: number }> {
    const match = { $match: { event_id, access_status: ACCESS_GRANTED } }
    const [byPoint, all] = await Promise.all([
      this.#checkIns
        .aggregate<{ _id: string; count: number }>(
          [
            match,
            { $group: { _id: { point: '$accesspoint_id', uid: '$guest_uid' } } },
            { $group: { _id: '$_id.point', count: { $sum: 1 } } },
          ],
          WHILE_AWAITED,
        )
        .toArray(),
      this.#checkIns
        .aggregate<{ count: number }>([match, { $group: { _id: '$guest_uid' } }, { $count: 'count' }], WHILE_AWAITED)
        .toArray(),
    ])
    return { byPoint: new Map(byPoint.map(({ _id, count }) => [_id, count])), all: all[0]?.count ?? 0 }
  }

  /** Granted and refused check-ins of each minute of the day before the latest one. */
  async timeline(event_id: string): Promise<{ minute: Date; granted: number; refused: number }[]> {
    const latest = await this.#checkIns.findOne({ event_id }, { sort: { access_stamp: -1, _id: -1 } })
    if (!latest) return []
    const from = new Date(latest.access_stamp.getTime() - TIMELINE_MS)
    const rows = await this.#checkIns
      .aggregate<{ _id: Date; granted: number; refused: number }>(
        [
          { $match: { event_id, access_stamp: { $gte: from } } },
          {
            $group: {
              _id: { $dateTrunc: { date: '$access_stamp', unit: 'minute' } },
              granted: { $sum: { $cond: [{ $eq: ['$access_status', ACCESS_GRANTED] }, 1, 0] } },
              refused: { $sum: { $cond: [{ $eq: ['$access_status', ACCESS_GRANTED] }, 0, 1] } },
            },
          },
          { $sort: { _id: 1 } },
        ],
        WHILE_AWAITED,
      )
      .toArray()
    return rows.map(({ _id, granted, refused }) => ({ minute: _id, granted, refused }))
  }
}

/** How many documents each event has in a collection. */
export async function countByEvent<T extends { event_id: string }>(
  collection: Collection<T>,
  eventIds: string[],
): Promise<Map<string, number>> {
  const rows = await collection
    .aggregate<{ _id: string; count: number }>(
      [{ $match: { event_id: { $in: eventIds } } }, { $group: { _id: '$event_id', count: { $sum: 1 } } }],
      WHILE_AWAITED,
    )
    .toArray()
  return new Map(rows.map(({ _id, count }) => [_id, count]))
}
