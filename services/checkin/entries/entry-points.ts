import { ACCESS_GRANTED } from '@gatehouse/door/decision.ts'
import { changeOne } from '@gatehouse/proto/storage/documents.ts'
import { untilDecided } from '@gatehouse/proto/storage/mongo.ts'
import { scopeCache } from '@gatehouse/proto/storage/scoped-cache.ts'
import { upserted } from '@gatehouse/proto/storage/upserted.ts'
import type { Collection, Db } from 'mongodb'
import type { StoredAccesspoint } from '../accesspoints/store.ts'
import { BY_SLOT } from '../check-ins/indexes.ts'
import type { CheckIn } from '../check-ins/store.ts'

/** The former check-in points of an event. */
interface FormerPoints {
  /** That of the event. */
  _id: string
  event_id: string
  points: string[]
  /** The check-ins were searched for those that nobody noted. */
  is_searched?: true
}

/** Knows at which points of an event guests may have come in: those that it has, and those that were deleted, here or in another system. */
export class EntryPoints {
  readonly #accesspoints: Collection<StoredAccesspoint>
  readonly #former: Collection<FormerPoints>
  readonly #checkIns: Collection<CheckIn>
  /** Points that are known, by event: none is forgotten. */
  readonly #known = scopeCache<Set<string>>()

  constructor(db: Db) {
    this.#accesspoints = db.collection('accesspoints')
    this.#former = db.collection('former_accesspoints')
    this.#checkIns = db.collection('access_controls')
  }

  /** The ids of the points. */
  async of(event_id: string): Promise<string[]> {
    // In this order: a point is noted before it is deleted.
    const present = await this.#accesspoints
      .find({ event_id })
      .project<Pick<StoredAccesspoint, '_id'>>({ _id: 1 })
      .toArray()
    const former = await this.#former.findOne({ _id: event_id })
    const points = former?.is_searched ? former.points : await this.#search(event_id)
    return [...new Set([...present.map(({ _id }) => _id), ...points])]
  }

  /** Notes points of check-ins that are about to be stored, unless they are known. */
  async noteUnknown(event_id: string, points: string[]): Promise<void> {
    if (points.every((point) => this.#known.get(event_id)?.has(point))) return
    const known = new Set(await this.of(event_id))
    const unknown = points.filter((point) => !known.has(point))
    if (unknown.length > 0) await this.note(event_id, unknown)
    this.#known.set(event_id, known.union(new Set(unknown)))
  }

  /** Notes points that are about to be deleted. */
  async note(event_id: string, points: string[]): Promise<void> {
    await this.#add(event_id, points, {})
  }

  /** Has the check-ins searched again: an archive has brought some. */
  async forget(event_id: string): Promise<void> {
    await this.#former.updateOne({ _id: event_id }, { $unset: { is_searched: 1 } })
  }

  /** Searches the check-ins of an event for their points, a step in the index for each, and notes these. */
  async #search(event_id: string): Promise<string[]> {
    const points: string[] = []
    for (;;) {
      const last = points.at(-1)
      const beyond = { event_id, access_status: ACCESS_GRANTED, ...(last && { accesspoint_id: { $gt: last } }) }
      const [next] = await this.#checkIns
        .find(beyond, { hint: BY_SLOT, sort: { accesspoint_id: 1, guest_uid: 1, slot: 1 }, limit: 1 })
        .project<Pick<CheckIn, 'accesspoint_id'>>({ _id: 0, accesspoint_id: 1 })
        .toArray()
      if (!next) break
      points.push(next.accesspoint_id)
    }
    return (await this.#add(event_id, points, { is_searched: true }))?.points ?? points
  }

  /** Returns what is stored then. */
  #add(event_id: string, points: string[], set: Pick<FormerPoints, 'is_searched'>): Promise<FormerPoints | null> {
    const change = { $set: { event_id, ...set }, $addToSet: { points: { $each: points } } }
    return upserted(() => untilDecided(() => changeOne(this.#former, { _id: event_id }, change, { upsert: true })))
  }
}
