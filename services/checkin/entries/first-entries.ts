import { ACCESS_GRANTED } from '@gatehouse/door/decision.ts'
import type { Collection, Db, Filter } from 'mongodb'
import { BY_REFUSAL, BY_SLOT } from '../check-ins/indexes.ts'
import type { CheckIn } from '../check-ins/store.ts'
import type { EntryPoints } from './entry-points.ts'

/** What is read of an entry. */
type Entry = Pick<CheckIn, 'guest_uid' | 'access_stamp' | 'created_at' | 'direction' | 'adopted'>

/** When a guest first came in, and whether that was in another system. */
interface FirstEntry {
  at: Date
  adopted: boolean
}

/** Reads when guests first came in, from their granted check-ins at all points. An exit is none. */
export class FirstEntries {
  readonly #checkIns: Collection<CheckIn>
  readonly #points: EntryPoints

  constructor(db: Db, points: EntryPoints) {
    this.#checkIns = db.collection('access_controls')
    this.#points = points
  }

  /** The first entries, by uid; guests who have not come in are missing. */
  async of(event_id: string, uids: string[]): Promise<Map<string, FirstEntry>> {
    const first = new Map<string, FirstEntry>()
    // With its points, the index leads to each guest. Without them, the database would read all of it.
    const points = await this.#points.of(event_id)
    if (points.length === 0) return first
    const place = { event_id, accesspoint_id: { $in: points }, guest_uid: { $in: uids }, access_status: ACCESS_GRANTED }
    const entries = await this.#checkIns
      .find(place, { hint: BY_SLOT, batchSize: 1_000 })
      .project<Entry>({ _id: 0, guest_uid: 1, access_stamp: 1, created_at: 1, direction: 1, adopted: 1 })
      .toArray()
    for (const entry of entries) {
      const at = entryMoment(entry)
      const known = first.get(entry.guest_uid)
      if (at && (!known || at < known.at)) first.set(entry.guest_uid, { at, adopted: entry.adopted === true })
    }
    return first
  }

  /** Those of these guests who have check-ins that were made here, granted or not. */
  async madeHere(event_id: string, uids: string[]): Promise<string[]> {
    const own = { event_id, guest_uid: { $in: uids }, adopted: { $exists: false } }
    const points = { accesspoint_id: { $in: await this.#points.of(event_id) } }
    const found = await Promise.all([
      this.#uids({ ...own, ...points, access_status: ACCESS_GRANTED }, BY_SLOT),
      this.#uids({ ...own, access_status: { $gt: ACCESS_GRANTED } }, BY_REFUSAL),
    ])
    return [...new Set(found.flat())]
  }

  async #uids(filter: Filter<CheckIn>, hint: string): Promise<string[]> {
    const found = this.#checkIns.find(filter, { hint }).project<Pick<CheckIn, 'guest_uid'>>({ _id: 0, guest_uid: 1 })
    return (await found.toArray()).map(({ guest_uid }) => guest_uid)
  }
}

/** When a granted check-in let its guest in; undefined for an exit. A stamp ahead of the receipt is a wrong clock's. */
export function entryMoment(entry: Omit<Entry, 'guest_uid'>): Date | undefined {
  const { access_stamp, created_at, direction } = entry
  if (direction === 'out') return undefined
  return access_stamp < created_at ? access_stamp : created_at
}
