import { ACCESS_GRANTED, type Move, type Reason, TOO_MANY_CHECK_INS } from '@gatehouse/door/decision.ts'
import { changeOne } from '@gatehouse/proto/storage/documents.ts'
import { DUPLICATE_KEY, WRITE_CONFLICT, writeErrorsOf } from '@gatehouse/proto/storage/mongo.ts'
import type { Collection, Db, Filter, FindCursor } from 'mongodb'
import { LateChanges, PROMPT_MS } from '../counting/late-changes.ts'
import { BY_ARRIVAL, BY_SLOT, BY_STAMP, checkInIndexes } from './indexes.ts'

/** A check-in as stored. */
export interface CheckIn {
  _id: string
  event_id: string
  accesspoint_id: string
  guest_uid: string
  access_status: number
  /** The device's time. */
  access_stamp: Date
  /** When it was stored, if that is far from its stamp or receipt: check-ins are counted in the order of their arrival (docs/adr/0005). */
  arrived_at?: Date
  /**
   * Which accesses of its guest at its point a granted check-in takes: a number from 1 for each person, or its own `_id` if there is no limit
   * and slot 1 is taken. Of an allowance for each day, those after slot 1 begin with another number each day. Two granted check-ins never
   * share one: the unique index has each number of a list.
   */
  slot?: number | number[] | string | undefined
  /** How many come in, or out; absent for 1. */
  persons?: number
  /** The guest comes out; absent for coming in. */
  direction?: 'out'
  /** How many persons of the guest may still come in, after these; absent without a limit. */
  persons_left?: number
  /** Why it is refused, where the status does not say so (presenting.ts). */
  reason?: Reason | null
  /** When the guest's right begins, of a scan that came too early. */
  opens_at?: Date
  /** The latest granted check-in that left too little of the allowance. */
  granted_before?: GrantedBefore
  /** How many more persons the device has let in by itself than the guest's right covered. */
  persons_too_many?: number
  /** The status by which the device decided, if it did. */
  decided_offline?: number
  /** The device decided otherwise. */
  is_conflict?: true
  /** The device's clock was ahead. */
  stamped_ahead?: true
  /** In the answer to an entry only: its area is full now. */
  area_full?: true
  /** It was made in another system, and taken over. */
  adopted?: true
  /** When it was asked for, if the gateway's clock was ahead of that of this service. */
  asked_at?: Date
  /** Of the token at the door that made it, which may undo it (ownership.ts). */
  token_id?: string
  created_at: Date
  updated_at: Date
}

/** An earlier granted check-in of a guest, as a refused one names it. */
export interface GrantedBefore {
  access_stamp: Date
  accesspoint_id: string
  persons: number
}

/** The accesses that a guest has taken at a point. */
export interface TakenSlots {
  slots: Set<number>
  /** The granted check-ins, those without a numbered slot included. */
  moves: Move[]
}

type GrantedSlots = Pick<CheckIn, 'accesspoint_id' | 'guest_uid' | 'slot' | 'persons' | 'direction' | 'access_stamp'>

/** A check-in arrives at its stamp if that and its receipt are no further than this from the time of storing. */
export const ON_TIME_MS = 5_000
/** Longer than it takes from a scan's receipt until it is stored, unless a store hangs meanwhile. */
const MAX_STORING_MS = 60_000
/** How often slots are looked for that others do not take meanwhile. */
export const TRIES_OF_SLOTS = 20
/** The event of deleted check-ins (indexes.ts). */
const DELETED = 'deleted'

/** What is left of a deleted check-in. */
interface DeletedCheckIn {
  _id: string
  event_id: typeof DELETED
  deleted_at: Date
}

/** Check-ins that are read at once: meanwhile the door waits. */
const CHUNK = 250

/** The check-ins collection. */
export class CheckInStore {
  readonly #checkIns: Collection<CheckIn>
  /** In the same collection, whose `_id`s are unique. */
  readonly #deleted: Collection<DeletedCheckIn>
  readonly #lateChanges: LateChanges
  /** When check-ins were last stored here, in ms, by event. */
  readonly #lastStored = new Map<string, number>()

  constructor(db: Db) {
    this.#checkIns = db.collection('access_controls')
    this.#deleted = db.collection('access_controls')
    this.#lateChanges = new LateChanges(db)
  }

  async prepare(): Promise<void> {
    await this.#checkIns.createIndexes(checkInIndexes)
  }

  /**
   * Stores check-ins. `conflicting` ones are not stored: a unique index has their id or their slot, or another write was in conflict. `failed` ones
   * may be stored or not. Throws if that goes for all.
   */
  async insert(checkIns: CheckIn[]): Promise<{ conflicting: Set<CheckIn>; failed: Set<CheckIn> }> {
    const conflicting = new Set<CheckIn>()
    const failed = new Set<CheckIn>()
    if (checkIns.length === 0) return { conflicting, failed }
    const begun = Date.now()
    for (const [index, checkIn] of checkIns.entries()) {
      const { event_id, access_stamp, created_at } = checkIn
      this.#lastStored.set(event_id, begun)
      // One after the other: counting reads on from the millisecond in which it ended, and would read those of one again and again.
      if (isApart(access_stamp, begun) || isApart(created_at, begun)) checkIn.arrived_at = new Date(begun + index)
    }
    try {
      await this.#checkIns.insertMany(checkIns, { ordered: false })
    } catch (error) {
      const failures = writeErrorsOf(error)
      if (failures.length === 0) {
        void this.#recordDelay(checkIns)
        throw error
      }
      for (const { index, code } of failures) {
        const which = code === DUPLICATE_KEY || code === WRITE_CONFLICT ? conflicting : failed
        which.add(checkIns[index] as CheckIn)
      }
    }
    // A late check-in is recorded as late before the scan is answered.
    if (Date.now() - begun > PROMPT_MS) await this.#recordDelay(checkIns)
    else if (failed.size > 0) void this.#recordDelay([...failed])
    return { conflicting, failed }
  }

  /** The events whose check-ins this process has stored since the last call, or within this many ms. */
  activeEvents(withinMs: number): string[] {
    const events = [...this.#lastStored.keys()]
    for (const [event_id, last] of this.#lastStored) if (Date.now() - last > withinMs) this.#lastStored.delete(event_id)
    return events
  }

  /** Records for the counts that these check-ins were stored late, or may still be. */
  async #recordDelay(checkIns: CheckIn[]): Promise<void> {
    const byEvent = Map.groupBy(checkIns, ({ event_id }) => event_id)
    await Promise.all(
      [...byEvent].map(([event_id, ofEvent]) => {
        const arrivals = ofEvent.map(arrivalOf).sort((one, other) => one.getTime() - other.getTime())
        return this.#lateChanges.record(event_id, arrivals.at(0) as Date, arrivals.at(-1) as Date)
      }),
    )
  }

  /** Check-ins of any event by their ids, which are derived from event and token (scan-identity.ts). */
  async findMany(ids: string[]): Promise<Map<string, CheckIn>> {
    const found = await this.#checkIns.find({ _id: { $in: ids }, event_id: { $ne: DELETED } }).toArray()
    return new Map(found.map((checkIn) => [checkIn._id, checkIn]))
  }

  /** When check-ins of these ids were deleted, by id. */
  async deletionsOf(ids: string[]): Promise<Map<string, Date>> {
    const found = await this.#deleted.find({ _id: { $in: ids }, event_id: DELETED }).toArray()
    return new Map(found.map(({ _id, deleted_at }) => [_id, deleted_at]))
  }

  /** Whether guests were let in at a point by check-ins that were made here. */
  async hasOwnAt(event_id: string, accesspoint_id: string): Promise<boolean> {
    const own = { event_id, accesspoint_id, access_status: ACCESS_GRANTED, adopted: { $exists: false } }
    return (await this.#checkIns.findOne(own, { hint: BY_SLOT, projection: { _id: 1 } })) !== null
  }

  /** Lets check-ins of these ids be stored, though earlier ones were deleted. */
  async forgetDeletions(ids: string[]): Promise<void> {
    await this.#deleted.deleteMany({ _id: { $in: ids }, event_id: DELETED })
  }

  /** The check-ins of an event that were received here from `from` until before `until`, in the order of their arrival. */
  async arrivedWithin(event_id: string, from: Date, until: Date): Promise<CheckIn[]> {
    const received = { created_at: { $gte: from, $lt: until }, adopted: { $exists: false } }
    // A check-in on time is stamped and received at about the time at which it is stored.
    const stamped = { $gte: later(from, -2 * ON_TIME_MS), $lt: later(until, 2 * ON_TIME_MS) }
    const arrived = { $gte: from, $lt: later(until, MAX_STORING_MS) }
    const [onTime, apart] = await Promise.all([
      this.#checkIns
        .find({ event_id, access_stamp: stamped, arrived_at: { $exists: false }, ...received }, inChunksOf(BY_STAMP))
        .sort({ access_stamp: 1, _id: 1 })
        .toArray(),
      this.#checkIns
        .find({ event_id, arrived_at: arrived, ...received }, inChunksOf(BY_ARRIVAL))
        .sort({ arrived_at: 1 })
        .toArray(),
    ])
    return [...onTime, ...apart]
  }

  /**
   * The accesses of these guests at a point, by uid: all of them or those of one slot alone, and with `area` their moves at all of its points. One
   * query in the unique index.
   */
  async taken(
    event_id: string,
    accesspoint_id: string,
    uids: string[],
    { slot: only, area }: { slot?: number; area?: string[] } = {},
  ): Promise<Map<string, TakenSlots>> {
    const found = new Map<string, TakenSlots>()
    if (uids.length === 0) return found
    const place = {
      event_id,
      accesspoint_id: area ? { $in: area } : accesspoint_id,
      guest_uid: { $in: uids },
      ...(only !== undefined && { slot: only }),
    }
    for await (const granted of this.#granted(place)) {
      const { guest_uid, persons = 1, direction, access_stamp, accesspoint_id: at } = granted
      const { slots, moves } = found.getOrInsertComputed(guest_uid, () => ({ slots: new Set<number>(), moves: [] }))
      moves.push({ accesspoint_id: at, at: access_stamp.getTime(), persons, isExit: direction === 'out' })
      if (at === accesspoint_id) for (const number of numbersOf(granted)) slots.add(number)
    }
    return found
  }

  /** The numbered slots that these guests have taken at points, by point and uid. One query in the unique index. */
  async slotsAt(event_id: string, points: string[], uids: string[]): Promise<Map<string, Map<string, Set<number>>>> {
    const found = new Map<string, Map<string, Set<number>>>()
    const place = { event_id, accesspoint_id: { $in: points }, guest_uid: { $in: uids } }
    for await (const granted of this.#granted(place)) {
      const ofPoint = found.getOrInsertComputed(granted.accesspoint_id, () => new Map())
      const slots = ofPoint.getOrInsertComputed(granted.guest_uid, () => new Set())
      for (const number of numbersOf(granted)) slots.add(number)
    }
    return found
  }

  #granted(place: Filter<CheckIn>): FindCursor<GrantedSlots> {
    return this.#checkIns.find({ ...place, access_status: ACCESS_GRANTED }).project<GrantedSlots>({
      ...{ _id: 0, accesspoint_id: 1, guest_uid: 1, slot: 1 },
      ...{ persons: 1, direction: 1, access_stamp: 1 },
    })
  }

  async get(event_id: string, _id: string): Promise<CheckIn | null> {
    return this.#checkIns.findOne({ _id, event_id })
  }

  /**
   * Notes what the device of a stored check-in decided by itself, unless that is known: the first to say it is kept. Returns the check-in as it
   * is stored then.
   */
  async noteDecision(checkIn: CheckIn, decided_offline: number): Promise<CheckIn> {
    const { _id, event_id, access_status, persons = 1, persons_left = 0 } = checkIn
    const isTooMany = decided_offline === ACCESS_GRANTED && access_status === TOO_MANY_CHECK_INS
    const news = {
      ...(isTooMany && { persons_too_many: persons - persons_left }),
      decided_offline,
      ...(decided_offline !== access_status && { is_conflict: true as const }),
      updated_at: new Date(),
    }
    const noted = await changeOne(
      this.#checkIns,
      { _id, event_id, decided_offline: { $exists: false } },
      { $set: news },
    )
    // Another request was first, or the check-in was deleted meanwhile.
    return noted ?? (await this.get(event_id, _id)) ?? checkIn
  }

  /** Deletes a check-in. Null if it is gone. */
  async delete(checkIn: CheckIn, asked_at = new Date()): Promise<CheckIn | null> {
    const { _id, event_id } = checkIn
    const arrival = arrivalOf(checkIn)
    // Compared with when scans were asked for, by the clocks of gateways: none of them may be ahead of it.
    const latest = Math.max(Date.now(), asked_at.getTime(), checkIn.asked_at?.getTime() ?? 0)
    const rest = { event_id: DELETED, deleted_at: new Date(latest) }
    // The driver's type of a replacement is that of what is replaced.
    return this.#lateChanges.during(event_id, arrival, arrival, () =>
      this.#checkIns.findOneAndReplace({ _id, event_id }, rest as unknown as CheckIn),
    )
  }
}

/** Whether a check-in that was stamped or received at `moment` and is stored at `now` arrives apart from its stamp: `arrived_at` says when. */
export function isApart(moment: Date, now: number): boolean {
  return Math.abs(moment.getTime() - now) > ON_TIME_MS
}

/** The numbers of the slots of a granted check-in. */
function numbersOf({ slot }: Pick<CheckIn, 'slot'>): number[] {
  return [slot].flat().filter((each) => typeof each === 'number')
}

function inChunksOf(hint: string): { hint: string; batchSize: number } {
  return { hint, batchSize: CHUNK }
}

function later(moment: Date, ms: number): Date {
  return new Date(moment.getTime() + ms)
}

/** When a check-in arrived, by which it is counted. */
export function arrivalOf({ arrived_at, access_stamp }: Pick<CheckIn, 'arrived_at' | 'access_stamp'>): Date {
  return arrived_at ?? access_stamp
}
