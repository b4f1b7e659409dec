import { after, type Order } from '@gatehouse/proto/storage/paging.ts'
import { scopeCache, TTL_MS } from '@gatehouse/proto/storage/scoped-cache.ts'
import type { Collection, Document, Filter } from 'mongodb'

/** The documents of long lists. */
interface ListedDocument {
  _id: string
  event_id: string
}

/** A position in the list of an event: the values of its order. */
type ListPosition = Document & Pick<ListedDocument, '_id'>

/** A position in a list, and how many documents follow it before the page. */
interface PageStart {
  position: ListPosition
  skip: number
}

/** A bookmark: a position, and how many documents are there or before. That changes only when one before it is inserted or deleted. */
interface Bookmark {
  position: ListPosition
  rank: number
}

/** The bookmarks of one event. */
interface EventBookmarks {
  begunAt: number
  /** How long it took to make them, in ms: long for a long list. */
  tookMs: number
  /** The oldest first. */
  bookmarks: Bookmark[]
  /** The earliest creation time, in ms, that changed while the next mark is searched. */
  invalidFrom: number
  /** More marks are being made; resolves when that ends. */
  extending?: Promise<void> | undefined
  /** The replacement of these. */
  replacement?: EventBookmarks
}

/** The least and the largest number of documents between two marks. */
const STEP = 500
const MAX_STEP = 4_000
/** The documents up to the next mark. It grows with the list: one query for every 500 of a million guests takes twice as long in all. */
const stepAfter = (rank: number): number => Math.min(MAX_STEP, Math.max(STEP, Math.floor(rank / 100)))
/** More marks are made when there are this many newer documents than the newest mark; at the second number a mark is too far away to use. */
const MANY_NEWER = 2 * STEP
const TOO_MANY_NEWER = 20 * STEP
/** Marks in use are renewed at this age, and unused ones are dropped at twice the age. */
const REFRESH_MS = TTL_MS / 2
/** They are renewed later if making them took long: it may take a twentieth of the time. */
const REFRESH_TIMES = 20
/** A page this many documents away waits for marks: skipping the documents takes as long as marking them, and does not help the next page. */
const FAR = TOO_MANY_NEWER

interface BookmarkOptions {
  /** What the list is sorted by. */
  by?: string
  /** Pages so many documents away or more wait for marks. */
  far?: number
}

/**
 * Bookmarks in the lists of events, so that every page is near one. By creation they count from the oldest document, so new documents do not change
 * them. They are made in the background on first use.
 */
export class PageBookmarks<T extends ListedDocument> {
  readonly #collection: Collection<T>
  readonly #index: string
  readonly #order: Order
  readonly #far: number
  readonly #events = scopeCache<EventBookmarks>(0)

  /** `index` is the index in the order of the list. */
  constructor(collection: Collection<T>, index: string, { by = 'created_at', far = FAR }: BookmarkOptions = {}) {
    this.#collection = collection
    this.#index = index
    this.#order = { [by]: 1, _id: 1 }
    this.#far = far
  }

  /**
   * A bookmark before the page that begins `skip` documents after the first one, or after the last one where the list is read the other `way`;
   * undefined if there is none near it. A far page waits until bookmarks are made.
   */
  async before(event_id: string, skip: number, way: 1 | -1): Promise<PageStart | undefined> {
    const current = this.#of(event_id)
    const start = await this.#startIn(event_id, current, skip, way)
    if (start || skip < this.#far || !current.extending) return start
    await current.extending
    return this.#startIn(event_id, current, skip, way)
  }

  async #startIn(event_id: string, current: EventBookmarks, skip: number, way: 1 | -1): Promise<PageStart | undefined> {
    // A copy: marks change while the newer documents are counted.
    const bookmarks = [...current.bookmarks]
    const newest = bookmarks.at(-1)
    const options = { hint: this.#index, limit: TOO_MANY_NEWER }
    const newer = newest
      ? await this.#collection.countDocuments(this.#behind(event_id, newest.position), options)
      : TOO_MANY_NEWER
    if (newer >= MANY_NEWER) current.extending ??= this.#extend(event_id, current)
    if (way === 1) {
      const bookmark = bookmarks.findLast((each) => each.rank <= skip && skip - each.rank < TOO_MANY_NEWER)
      return bookmark && { position: bookmark.position, skip: skip - bookmark.rank }
    }
    if (!newest || newer === TOO_MANY_NEWER) return undefined
    const rank = newest.rank + newer - skip
    const bookmark = bookmarks.find((each) => each.rank > rank)
    return bookmark && { position: bookmark.position, skip: bookmark.rank - 1 - Math.max(rank, 0) }
  }

  /** Call after an insertion or deletion of a document created at this time, in ms; undefined stands for any time, or another place in an order by anything else. */
  invalidateFrom(event_id: string, created_at = 0): void {
    const current = this.#events.peek(event_id)
    for (const each of [current, current?.replacement]) {
      if (!each) continue
      each.invalidFrom = Math.min(each.invalidFrom, created_at)
      while (each.bookmarks.length > 0 && isFrom(each.bookmarks.at(-1), created_at)) each.bookmarks.pop()
    }
  }

  invalidateAll(): void {
    this.#events.clear()
  }

  #of(event_id: string): EventBookmarks {
    const current = this.#events.get(event_id)
    const age = current ? performance.now() - current.begunAt : 0
    const refreshMs = Math.max(REFRESH_MS, REFRESH_TIMES * (current?.tookMs ?? 0))
    if (!current || (age > 2 * refreshMs && !current.extending)) {
      const bookmarks = noBookmarks()
      this.#events.set(event_id, bookmarks)
      return bookmarks
    }
    if (!current.replacement && age > refreshMs) {
      const replacement = noBookmarks()
      current.replacement = replacement
      replacement.extending = this.#extend(event_id, replacement)
      void replacement.extending.then(() => {
        if (this.#events.peek(event_id) === current) this.#events.set(event_id, replacement)
      })
    }
    return current
  }

  /** Adds marks up to the newest. Errors are ignored: pages are found without marks too. */
  async #extend(event_id: string, into: EventBookmarks): Promise<void> {
    const begunAt = performance.now()
    try {
      while (true) {
        const last = into.bookmarks.at(-1)
        const rank = last?.rank ?? 0
        const step = stepAfter(rank)
        into.invalidFrom = Number.POSITIVE_INFINITY
        const rest = last ? this.#behind(event_id, last.position) : ({ event_id } as Filter<T>)
        const [position] = await this.#collection
          .find(rest, { hint: this.#index })
          .sort(this.#order)
          .skip(step - 1)
          .limit(1)
          .project<ListPosition>(Object.fromEntries(Object.keys(this.#order).map((name) => [name, 1 as const])))
          .toArray()
        if (!position || into.invalidFrom <= timeOf(position)) break
        into.bookmarks.push({ position, rank: rank + step })
      }
    } catch {
    } finally {
      into.tookMs += performance.now() - begunAt
      into.extending = undefined
    }
  }

  #behind(event_id: string, position: ListPosition): Filter<T> {
    return { $and: [{ event_id }, after(this.#order, position)] } as Filter<T>
  }
}

function noBookmarks(): EventBookmarks {
  return { begunAt: performance.now(), tookMs: 0, bookmarks: [], invalidFrom: Number.POSITIVE_INFINITY }
}

function isFrom(bookmark: Bookmark | undefined, created_at: number): boolean {
  return bookmark !== undefined && timeOf(bookmark.position) >= created_at
}

/** When a document was created, in ms. By another order any change may be before it. */
function timeOf({ created_at }: ListPosition): number {
  return created_at instanceof Date ? created_at.getTime() : 0
}
