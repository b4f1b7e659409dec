import type { Collection, Filter } from 'mongodb'
import { after, type Order, type PageStart } from './paging.ts'
import { scopeCache, TTL_MS } from './scoped-cache.ts'

/** What events have long lists of, newest creation first. */
interface Listed {
  _id: string
  event_id: string
  created_at: Date
}

/** Where one stands in its event's list. */
type ListPosition = Pick<Listed, '_id' | 'created_at'>

/** One of a list, and how many are as old or older, itself included. That changes only when an older one comes or goes. */
interface Bookmark {
  position: ListPosition
  rank: number
}

/** What is known of one event. */
interface EventBookmarks {
  begunAt: number
  /** One every `STEP`, the oldest first. */
  bookmarks: Bookmark[]
  /** The earliest creation, in ms, that came or went while the next mark is looked for. */
  invalidFrom: number
  /** More marks are being made. */
  isExtending: boolean
  /** What takes the place of these. */
  replacement?: EventBookmarks
}

/** From one mark to the next. */
const STEP = 500
/** So many newer than the newest mark make it worth while to make more; and at so many it is far from any page. */
const MANY_NEWER = 2 * STEP
const TOO_MANY_NEWER = 20 * STEP
/** The age at which marks in use are made anew. */
const REFRESH_MS = TTL_MS / 2

const OLDEST_FIRST: Order = { created_at: 1, _id: 1 }

/**
 * Places in the list of all that an event has of a kind, newest first, from which any page is near. They are counted from the list's
 * end, the oldest, so new ones leave them true. They are made in the background once somebody asks.
 */
export class PageBookmarks<T extends Listed> {
  readonly #collection: Collection<T>
  readonly #index: string
  readonly #events = scopeCache<EventBookmarks>()

  /** `index` gives what an event has in the order of the list. */
  constructor(collection: Collection<T>, index: string) {
    this.#collection = collection
    this.#index = index
  }

  /** A place before the page that begins `skip` from the newest; undefined where none is known yet, or none is near. */
  async before(event_id: string, skip: number): Promise<PageStart | undefined> {
    const known = this.#of(event_id)
    // A copy: marks come and go while the newer ones are counted.
    const bookmarks = [...known.bookmarks]
    const newest = bookmarks.at(-1)
    const options = { hint: this.#index, limit: TOO_MANY_NEWER }
    const newer = newest
      ? await this.#collection.countDocuments(newerThan<T>(event_id, newest.position), options)
      : TOO_MANY_NEWER
    if (newer >= MANY_NEWER && !known.isExtending) void this.#extend(event_id, known)
    if (!newest || newer === TOO_MANY_NEWER) return undefined
    const rank = newest.rank + newer - skip
    const bookmark = bookmarks.find((each) => each.rank > rank)
    return bookmark && { position: bookmark.position, skip: bookmark.rank - 1 - Math.max(rank, 0) }
  }

  /** Hears that one came or went that was created at this time, in ms; undefined stands for any. */
  invalidateFrom(event_id: string, created_at = 0): void {
    const known = this.#events.peek(event_id)
    for (const each of [known, known?.replacement]) {
      if (!each) continue
      each.invalidFrom = Math.min(each.invalidFrom, created_at)
      while (each.bookmarks.length > 0 && isFrom(each.bookmarks.at(-1), created_at)) each.bookmarks.pop()
    }
  }

  invalidateAll(): void {
    this.#events.clear()
  }

  #of(event_id: string): EventBookmarks {
    const known = this.#events.get(event_id)
    if (!known) {
      const bookmarks = noBookmarks()
      this.#events.set(event_id, bookmarks)
      return bookmarks
    }
    if (!known.replacement && performance.now() - known.begunAt > REFRESH_MS) {
      const replacement = noBookmarks()
      known.replacement = replacement
      void this.#extend(event_id, replacement).then(() => {
        if (this.#events.peek(event_id) === known) this.#events.set(event_id, replacement)
      })
    }
    return known
  }

  /** Adds marks up to the newest. What fails is left: pages are found without it. */
  async #extend(event_id: string, into: EventBookmarks): Promise<void> {
    into.isExtending = true
    try {
      while (true) {
        const last = into.bookmarks.at(-1)
        into.invalidFrom = Number.POSITIVE_INFINITY
        const rest = last ? newerThan<T>(event_id, last.position) : ({ event_id } as Filter<T>)
        const [position] = await this.#collection
          .find(rest, { hint: this.#index })
          .sort(OLDEST_FIRST)
          .skip(STEP - 1)
          .limit(1)
          .project<ListPosition>({ created_at: 1 })
          .toArray()
        if (!position || into.invalidFrom <= position.created_at.getTime()) break
        into.bookmarks.push({ position, rank: (last?.rank ?? 0) + STEP })
      }
    } catch {
    } finally {
      into.isExtending = false
    }
  }
}

function noBookmarks(): EventBookmarks {
  return { begunAt: performance.now(), bookmarks: [], invalidFrom: Number.POSITIVE_INFINITY, isExtending: false }
}

function isFrom(bookmark: Bookmark | undefined, created_at: number): boolean {
  return bookmark !== undefined && bookmark.position.created_at.getTime() >= created_at
}

function newerThan<T extends Listed>(event_id: string, position: ListPosition): Filter<T> {
  return { $and: [{ event_id }, after(OLDEST_FIRST, position)] } as Filter<T>
}
