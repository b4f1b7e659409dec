import { WHILE_AWAITED } from '@gatehouse/proto/storage/mongo.ts'
import { byScope } from '@gatehouse/proto/storage/scoped-cache.ts'
import type { Collection } from 'mongodb'
import type { CategoryCounts, StoredGuest } from './store.ts'

/** Guests by their uids: those from `from` on, until before the next stretch. */
interface Stretch {
  /** In bytes, as the store orders uids. */
  from: Buffer
  counts: CategoryCounts
  /** When it was counted; undefined before. */
  counted: number | undefined
  /** It was not counted, or somebody changed since. */
  stale: boolean
}

/** What is known of one event. */
interface Known {
  stretches: Stretch[]
  /** The count under way, and the next one. */
  running: Promise<unknown>
  waiting: Promise<CategoryCounts> | undefined
  /** Stretches are being counted in the background. */
  surveying: boolean
}

type Row = Pick<StoredGuest, 'uid' | 'guest_category_id'>

/** What is remembered is looked at again by itself, a little at a time. */
const FOR_GOOD = 0
/** Guests of a stretch when it is made; when twice as many it is divided. */
const STRETCH = 2_000
/** Stale stretches from which it is quicker to let the store count all guests once more. */
const MANY_STALE = 20
/** A stretch so old is counted anew, one at each time somebody asks, should an announcement ever be lost. */
const RENEW_MS = 30_000

/**
 * How many guests each category of an event has. All guests are counted once, in stretches of the index of uids; after that only the
 * stretches in which a guest changed. Where many stretches are to be counted that is done in the background, and the store counts all
 * guests for whoever asks meanwhile.
 */
export class Census {
  readonly #guests: Collection<StoredGuest>
  readonly #index: string
  readonly #size: number
  readonly #events = byScope<Known>(FOR_GOOD)

  /** `index` gives the guests of an event in the order of their uids. */
  constructor(guests: Collection<StoredGuest>, index: string, size = STRETCH) {
    this.#guests = guests
    this.#index = index
    this.#size = size
  }

  /** The counts, of what was answered before at least. */
  counts(event_id: string): Promise<CategoryCounts> {
    const known = this.#of(event_id)
    known.waiting ??= known.running.then(() => {
      known.waiting = undefined
      const counting = this.#count(event_id, known)
      // After an error all goes on from what was counted.
      known.running = counting.catch(() => {})
      return counting
    })
    return known.waiting
  }

  /** Hears that guests with these uids came, went or changed. */
  changed(event_id: string, uids: string[]): void {
    const known = this.#events.peek(event_id)
    if (!known) return
    for (const uid of uids) stretchOf(known.stretches, Buffer.from(uid)).stale = true
  }

  /** Any guest may have changed. */
  changedUnheard(): void {
    this.#events.clear()
  }

  #of(event_id: string): Known {
    const known = this.#events.get(event_id)
    if (known) return known
    const fresh: Known = {
      stretches: [unknownFrom('')],
      running: Promise.resolve(),
      waiting: undefined,
      surveying: false,
    }
    this.#events.set(event_id, fresh)
    return fresh
  }

  async #count(event_id: string, known: Known): Promise<CategoryCounts> {
    const { stretches } = known
    const aged = performance.now() - RENEW_MS
    const oldest = stretches.reduce((one, other) => ((other.counted ?? aged) < (one.counted ?? aged) ? other : one))
    if ((oldest.counted ?? aged) < aged) oldest.stale = true
    const stale = stretches.filter((each) => each.stale)
    if (!known.surveying && stale.length <= MANY_STALE) {
      for (const each of stale) await this.#countStretch(event_id, stretches, each)
    }
    // A stretch that was never counted has been divided: there are more of them than one can wait for.
    if (known.surveying || stretches.some(({ counted }) => counted === undefined) || stale.length > MANY_STALE) {
      void this.#survey(event_id, known)
      return this.#countAll(event_id)
    }
    const sum: CategoryCounts = new Map()
    for (const { counts } of stretches) {
      for (const [category, count] of counts) sum.set(category, (sum.get(category) ?? 0) + count)
    }
    return sum
  }

  /** Counts what is stale, one stretch after the other. What fails is left for the next who asks. */
  async #survey(event_id: string, known: Known): Promise<void> {
    if (known.surveying) return
    known.surveying = true
    try {
      // Those that it divides follow in their turn. Not once more what changes meanwhile: there may be no end of that.
      for (const stretch of known.stretches) {
        if (stretch.stale) await this.#countStretch(event_id, known.stretches, stretch)
      }
    } catch {
    } finally {
      known.surveying = false
    }
  }

  async #countAll(event_id: string): Promise<CategoryCounts> {
    const rows = await this.#guests
      .aggregate<{ _id: string; count: number }>(
        [{ $match: { event_id } }, { $group: { _id: '$guest_category_id', count: { $sum: 1 } } }],
        WHILE_AWAITED,
      )
      .toArray()
    return new Map(rows.map(({ _id, count }) => [_id, count]))
  }

  /** Counts a stretch. What is too much for one becomes the next one, to be counted too. */
  async #countStretch(event_id: string, stretches: Stretch[], stretch: Stretch): Promise<void> {
    const index = stretches.indexOf(stretch)
    const next = stretches[index + 1]
    const most = stretch.counted === undefined ? this.#size : 2 * this.#size
    const uid = { $gte: String(stretch.from), ...(next && { $lt: String(next.from) }) }
    stretch.stale = false
    try {
      const rows = await this.#guests
        .find({ event_id, uid }, { hint: this.#index, batchSize: most + 1 })
        .sort({ uid: 1 })
        .limit(most + 1)
        .project<Row>({ _id: 0, uid: 1, guest_category_id: 1 })
        .toArray()
      const beyond = rows.length > most ? rows.splice(this.#size) : []
      if (beyond[0]) stretches.splice(index + 1, 0, unknownFrom(beyond[0].uid))
      stretch.counts = countsOf(rows)
      stretch.counted = performance.now()
    } catch (error) {
      stretch.stale = true
      throw error
    }
  }
}

function unknownFrom(uid: string): Stretch {
  return { from: Buffer.from(uid), counts: new Map(), counted: undefined, stale: true }
}

function countsOf(rows: Row[]): CategoryCounts {
  const counts: CategoryCounts = new Map()
  for (const { guest_category_id } of rows) counts.set(guest_category_id, (counts.get(guest_category_id) ?? 0) + 1)
  return counts
}

/** The last stretch that begins at the uid or before it. */
function stretchOf(stretches: Stretch[], uid: Buffer): Stretch {
  let [low, high] = [0, stretches.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (Buffer.compare((stretches[middle] as Stretch).from, uid) <= 0) low = middle
    else high = middle - 1
  }
  return stretches[low] as Stretch
}
