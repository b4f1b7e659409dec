import type { Collection, Filter } from 'mongodb'
import { after, type Order, type PageStart } from './paging.ts'
import { scopeCache, TTL_MS } from './scoped-cache.ts'

/** The documents of long lists, which are sorted by newest creation. */
interface Listed {
  _id: string
  event_id: string
  created_at: Date
}

/** A position in the list of an event. */
type ListPosition = Pick<Listed, '_id' | 'created_at'>

/** A bookmark: a position, and how many documents are as old or older. That changes only when an older one is inserted or deleted. */
interface Bookmark {
  position: ListPosition
  rank: number
}

/** The bookmarks of one event. */
interface EventBookmarks {
  begunAt: number
  /** One for every `STEP` documents, the oldest first. */
  bookmarks: Bookmark[]
  /** The earliest creation time, in ms, that changed while the next mark is searched. */
  invalidFrom: number
  /** More marks are being made. */
  isExtending: boolean
  /** The replacement of these. */
  replacement?: EventBookmarks
}

/** Documents between two marks. */
const STEP = 500
/** With so many newer documents than the newest mark more marks are made; at the second number a mark is too far away to use. */
const MANY_NEWER = 2 * STEP
const TOO_MANY_NEWER = 20 * STEP
/** The age at which marks in use are renewed. */
const REFRESH_MS = TTL_MS / 2

const OLDEST_FIRST: Order = { created_at: 1, _id: 1 }

/**
 * Bookmarks in the lists of events, so that every page is near one. They count from the oldest document, so new documents do not change them.
 * They are made in the background on first use.
 */
export class PageBookmarks<T extends Listed> {
  readonly #collection: Collection<T>
  readonly #index: string
  readonly #events = scopeCache<EventBookmarks>()

  /** `index` is the index in the order of the list. */
  constructor(collection: Collection<T>, index: string) {
    this.#collection = collection
    this.#index = index
  }

  /** A bookmark before the page that begins `skip` documents after the newest; undefined if none is known or near. */
  async before(event_id: string, skip: number): Promise<PageStart | undefined> {
    const known = this.#of(event_id)
    // A copy: marks change while the newer documents are counted.
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

  /** Call after an insertion or deletion of a document created at this time, in ms; undefined stands for any time. */
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

  /** Adds marks up to the newest. Errors are ignored: pages are found without marks too. */
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
