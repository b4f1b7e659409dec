import { randomInt } from 'node:crypto'
import { unavailable } from '@gatehouse/proto/declaring/faults.ts'
import { changeOne } from '@gatehouse/proto/storage/documents.ts'
import { isConflict, isDuplicate } from '@gatehouse/proto/storage/mongo.ts'
import type { Collection, Db, Document, Filter } from 'mongodb'
import type { InvitationKey, PageKey, StoredInvitation } from '../../delivery/invitations/store.ts'

const PLACES = 'event_id_1_guest_category_id_1_places_1'
/** How often other places are tried because somebody else took one of them first. */
const TRIES = 200

/** The last place of a category that was given out in order. */
interface Counter {
  /** Of the category. */
  _id: string
  event_id: string
  last: number
}

/** What is asked for a registration: places for all its persons, or none. */
interface Wanted {
  persons: number
  limit: number | null
  /** What the registration has to be like. */
  only: Filter<StoredInvitation>
  /** The stages that change it, in the same update. */
  change: Document[]
}

/**
 * The places of registration pages. Each person of a registration has a number of its own, in the registration itself; no two have the same
 * one, by a unique index, and none gets one beyond the limit. So the limit holds whatever happens at the same time, and whichever process dies:
 * to register, to reject and to give up are one update each, and there is nothing to be put right afterwards (docs/adr/0006 does the same).
 */
export class PlaceStore {
  readonly #registrations: Collection<StoredInvitation>
  readonly #counters: Collection<Counter>

  constructor(db: Db) {
    this.#registrations = db.collection('invitations')
    this.#counters = db.collection('registration_counters')
  }

  async prepare(): Promise<void> {
    await this.#registrations.createIndex(
      { event_id: 1, guest_category_id: 1, places: 1 },
      { name: PLACES, unique: true, partialFilterExpression: { places: { $exists: true } } },
    )
  }

  /** Changes a registration that has no places, and gives it some. `full` if there are not enough left, `stale` if it is not as it has to be. */
  async take(key: InvitationKey & PageKey, wanted: Wanted): Promise<StoredInvitation | 'full' | 'stale'> {
    const { _id, event_id } = key
    const { only, change } = wanted
    for (let tries = 0; tries < TRIES; tries++) {
      const places = await this.#free(key, wanted)
      if (!places) return 'full'
      try {
        const filter = { ...only, _id, event_id, places: { $exists: false } } as Filter<StoredInvitation>
        return (await changeOne(this.#registrations, filter, [...change, { $set: { places } }])) ?? 'stale'
      } catch (error) {
        if (!isDuplicate(error, PLACES) && !isConflict(error)) throw error
      }
    }
    throw unavailable()
  }

  /** How many persons have places. */
  async count(key: PageKey): Promise<number> {
    const [found] = await this.#registrations
      .aggregate<{ persons: number }>(
        [{ $match: held(key) }, { $group: { _id: null, persons: { $sum: { $size: '$places' } } } }],
        { hint: PLACES },
      )
      .toArray()
    return found?.persons ?? 0
  }

  /** Those who have places and whose guests were made. */
  async withGuests(key: PageKey): Promise<Pick<StoredInvitation, '_id' | 'registered_guest_id'>[]> {
    const found = this.#registrations.find({ ...held(key), has_guest: true }, { hint: PLACES })
    return found.project<Pick<StoredInvitation, '_id' | 'registered_guest_id'>>({ registered_guest_id: 1 }).toArray()
  }

  /** Places that seem to be free; somebody else may be faster. Undefined if there are not enough. */
  async #free(key: PageKey, { persons, limit }: Wanted): Promise<number[] | undefined> {
    const isWithin = limit === null || !(await this.#hasBeyond(key, limit))
    const last = isWithin ? await this.#count(key, persons, limit) : undefined
    if (last !== undefined) return Array.from({ length: persons }, (_, index) => last - index)
    return limit === null ? undefined : this.#gaps(key, persons, limit)
  }

  /** Counts the next places in order, if they are within the limit, and returns the last of them. */
  async #count(
    { event_id, guest_category_id: _id }: PageKey,
    persons: number,
    limit: number | null,
  ): Promise<number | undefined> {
    await this.#counters
      .updateOne({ _id, event_id }, { $setOnInsert: { last: 0 } }, { upsert: true })
      // Another process made it first.
      .catch((error) => {
        if (!isDuplicate(error) && !isConflict(error)) throw error
      })
    const room = limit === null ? {} : { last: { $lte: limit - persons } }
    const counted = await changeOne(this.#counters, { _id, event_id, ...room }, { $inc: { last: persons } })
    return counted?.last
  }

  /** Whether somebody has a place beyond the limit, since that was lowered. */
  async #hasBeyond({ event_id, guest_category_id }: PageKey, limit: number): Promise<boolean> {
    const beyond = await this.#registrations.findOne(
      { event_id, guest_category_id, places: { $gt: limit } } as Filter<StoredInvitation>,
      { projection: { _id: 1 }, hint: PLACES },
    )
    return beyond !== null
  }

  /**
   * Places that were given out and are free again. For each place beyond the limit that somebody has, one within it is out of bounds: these
   * become fewer only, so that two who look at the same time are never more than the limit together.
   */
  async #gaps(key: PageKey, persons: number, limit: number): Promise<number[] | undefined> {
    const found = this.#registrations.find(held(key), { hint: PLACES }).project<{ places: number[] }>({ places: 1 })
    const taken = new Set((await found.toArray()).flatMap(({ places }) => places))
    const beyond = [...taken].filter((place) => place > limit).length
    const free = Array.from({ length: Math.max(0, limit - beyond) }, (_, index) => index + 1).filter(
      (place) => !taken.has(place),
    )
    if (free.length < persons) return undefined
    // Who looks at the same time should take others.
    const first = randomInt(free.length - persons + 1)
    return free.slice(first, first + persons)
  }
}

function held({ event_id, guest_category_id }: PageKey): Filter<StoredInvitation> {
  return { event_id, guest_category_id, places: { $exists: true } }
}
