import { Semaphore } from '@gatehouse/proto/concurrency/semaphore.ts'
import { type PageQuery, pageThrough } from '@gatehouse/proto/storage/paging.ts'
import type { Collection, Db, Filter } from 'mongodb'
import { BY_CREATION, BY_EXHIBITOR, BY_RATING } from './indexes.ts'
import type { StoredLead } from './store.ts'

/** Which leads of an event are listed. */
export interface LeadFilter {
  exhibitor_id?: string | undefined
  rating?: number | undefined
  /** What is searched for: a text, and the guests whom it finds. */
  search?: { text: string; guest_ids: readonly string[] } | undefined
  /** The earliest creation. */
  since?: Date | undefined
  /** The creation after the latest one. */
  before?: Date | undefined
}

const ORDER = { created_at: -1, _id: -1 } as const
/** One search at a time goes through the leads of an event, which takes a store's core; the others wait for their turn. */
const AT_ONCE = 1
/** Whoever waits longer would miss the deadline of the request. */
const MAX_WAIT_MS = 3_000

/**
 * Pages of an event's leads, newest first. Exhibitor, rating and time are found by indexes. A text has none: a search goes through the leads
 * that the other filters let through, in the order of the list, until the page is full.
 */
export class LeadPages {
  readonly #leads: Collection<StoredLead>
  readonly #turns = new Semaphore(AT_ONCE, AT_ONCE)

  constructor(db: Db) {
    this.#leads = db.collection('leads')
  }

  async page(event_id: string, filter: LeadFilter, page: PageQuery): Promise<StoredLead[]> {
    const read = () => pageThrough(this.#leads, queryOf(event_id, filter), ORDER, page, { index: indexOf(filter) })
    return filter.search ? this.#turns.run(event_id, 1, MAX_WAIT_MS, read) : read()
  }
}

function indexOf({ exhibitor_id, rating }: LeadFilter): string {
  if (exhibitor_id !== undefined) return BY_EXHIBITOR
  return rating === undefined ? BY_CREATION : BY_RATING
}

function queryOf(event_id: string, { exhibitor_id, rating, search, since, before }: LeadFilter): Filter<StoredLead> {
  return {
    event_id,
    ...(exhibitor_id !== undefined && { exhibitor_id }),
    ...(rating !== undefined && { rating }),
    ...((since || before) && { created_at: { ...(since && { $gte: since }), ...(before && { $lt: before }) } }),
    ...(search && { $or: matches(search) }),
  }
}

/** The ways in which a lead matches a search. A text is looked for as it is, not as a pattern. */
function matches({ text, guest_ids }: NonNullable<LeadFilter['search']>): Filter<StoredLead>[] {
  const $regex = new RegExp(RegExp.escape(text), 'i')
  const texts = ['note', 'author', 'comments', 'guest_uid'].map((field) => ({ [field]: { $regex } }))
  return [...texts, ...(guest_ids.length > 0 ? [{ guest_id: { $in: [...guest_ids] } }] : [])] as Filter<StoredLead>[]
}
