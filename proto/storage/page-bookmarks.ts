import type { Collection, Filter } from 'mongodb'
import { after, type Milestone, type Order } from './paging.ts'
import { byScope, TTL_MS } from './scoped-cache.ts'

/** What events have long lists of, newest creation first. */
interface Listed {
  _id: string
  event_id: string
  created_at: Date
}

/** Where one stands in its event's list. */
type Place = Pick<Listed, '_id' | 'created_at'>

/** One of a list, and how many are as old or older, itself included. That changes only when an older one comes or goes. */
interface Mark {
  place: Place
  rank: number
}

/** What is known of one event. */
interface Marks {
  begun: number
  /** One every `STEP`, the oldest first. */
  marks: Mark[]
  /** The earliest creation, in ms, that came or went while the next mark is looked for. */
  movedFrom: number
  /** More marks are being made. */
  making: boolean
  /** What takes the place of these. */
  renewal?: Marks
}

/** From one mark to the next. */
const STEP = 500
/** So many newer than the newest mark make it worth while to make more; and at so many it is far from any page. */
const MANY_NEWER = 2 * STEP
const TOO_MANY_NEWER = 20 * STEP
/** The age at which marks in use are made anew. */
const RENEW_MS = TTL_MS / 2

const OLDEST_FIRST: Order = { created_at: 1, _id: 1 }

/**
 * Places in the list of all that an event has of a kind, newest first, from which any page is near. They are counted from the list's
 * end, the oldest, so new ones leave them true. They are made in the background once somebody asks.
 */
export class Milestones<T extends Listed> {
  readonly #collection: Collection<T>
  readonly #index: string
  readonly #events = byScope<Marks>()

  /** `index` gives what an event has in the order of the list. */
  constructor(collection: Collection<T>, index: string) {
    this.#collection = collection
    this.#index = index
  }

  /** A place before the page that begins `skip` from the newest; undefined where none is known yet, or none is near. */
  async before(event_id: string, skip: number): Promise<Milestone | undefined> {
    const known = this.#of(event_id)
    // A copy: marks come and go while the newer ones are counted.
    const marks = [...known.marks]
    const newest = marks.at(-1)
    const options = { hint: this.#index, limit: TOO_MANY_NEWER }
    const newer = newest
      ? await this.#collection.countDocuments(newerThan<T>(event_id, newest.place), options)
      : TOO_MANY_NEWER
    if (newer >= MANY_NEWER && !known.making) void this.#make(event_id, known)
    if (!newest || newer === TOO_MANY_NEWER) return undefined
    const rank = newest.rank + newer - skip
    const mark = marks.find((each) => each.rank > rank)
    return mark && { place: mark.place, skip: mark.rank - 1 - Math.max(rank, 0) }
  }

  /** Hears that one came or went that was created at this time, in ms; undefined stands for any. */
  moved(event_id: string, created_at = 0): void {
    const known = this.#events.peek(event_id)
    for (const each of [known, known?.renewal]) {
      if (!each) continue
      each.movedFrom = Math.min(each.movedFrom, created_at)
      while (each.marks.length > 0 && isFrom(each.marks.at(-1), created_at)) each.marks.pop()
    }
  }

  forgetAll(): void {
    this.#events.clear()
  }

  #of(event_id: string): Marks {
    const known = this.#events.get(event_id)
    if (!known) {
      const marks = noMarks()
      this.#events.set(event_id, marks)
      return marks
    }
    if (!known.renewal && performance.now() - known.begun > RENEW_MS) {
      const renewal = noMarks()
      known.renewal = renewal
      void this.#make(event_id, renewal).then(() => {
        if (this.#events.peek(event_id) === known) this.#events.set(event_id, renewal)
      })
    }
    return known
  }

  /** Adds marks up to the newest. What fails is left: pages are found without it. */
  async #make(event_id: string, into: Marks): Promise<void> {
    into.making = true
    try {
      while (true) {
        const last = into.marks.at(-1)
        into.movedFrom = Number.POSITIVE_INFINITY
        const rest = last ? newerThan<T>(event_id, last.place) : ({ event_id } as Filter<T>)
        const [place] = await this.#collection
          .find(rest, { hint: this.#index })
          .sort(OLDEST_FIRST)
          .skip(STEP - 1)
          .limit(1)
          .project<Place>({ created_at: 1 })
          .toArray()
        if (!place || into.movedFrom <= place.created_at.getTime()) break
        into.marks.push({ place, rank: (last?.rank ?? 0) + STEP })
      }
    } catch {
    } finally {
      into.making = false
    }
  }
}

function noMarks(): Marks {
  return { begun: performance.now(), marks: [], movedFrom: Number.POSITIVE_INFINITY, making: false }
}

function isFrom(mark: Mark | undefined, created_at: number): boolean {
  return mark !== undefined && mark.place.created_at.getTime() >= created_at
}

function newerThan<T extends Listed>(event_id: string, place: Place): Filter<T> {
  return { $and: [{ event_id }, after(OLDEST_FIRST, place)] } as Filter<T>
}
