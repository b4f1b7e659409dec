import type { Collection, Filter } from 'mongodb'
import { instruments } from '../telemetry/metrics.ts'
import { insertOnce, isDuplicate } from './mongo.ts'

/** A document with a quota for each account. */
export interface Numbered {
  _id: string
  account_id: string
  /** From 0; absent in documents that do not count or are older than the quota. */
  place?: number
}

const BY_NUMBER = 'account_id_1_place_1'

/** The index for a collection with a quota. */
export const QUOTA_INDEX = {
  key: { account_id: 1, place: 1 },
  name: BY_NUMBER,
  unique: true,
  partialFilterExpression: { place: { $exists: true } },
} as const

/**
 * Stores a document, or gives the one that an earlier try stored under its `_id`; null if its account has `cap` documents that match `counted`.
 * Concurrent processes cannot exceed the cap: each new document takes a numbered place under a unique index.
 */
export async function insertWithinQuota<T extends Numbered>(
  collection: Collection<T>,
  document: T,
  cap: number,
  counted: Filter<T> = {},
): Promise<T | null> {
  const ofAccount = { account_id: document.account_id, ...counted } as Filter<T>
  for (;;) {
    const held = await collection.find(ofAccount).project<Numbered>({ place: 1 }).toArray()
    const isKnown = held.some(({ _id }) => _id === document._id)
    const numbers = isKnown ? [] : freeNumbers(held, cap)
    if (!isKnown && numbers.length === 0) {
      instruments.quotaRefusals.add(1, { quota: collection.collectionName })
      return null
    }
    // A random one: concurrent inserts seldom choose the same.
    const number = numbers[Math.floor(Math.random() * numbers.length)]
    try {
      return await insertOnce(collection, { ...document, ...(number !== undefined && { place: number }) })
    } catch (error) {
      // Another document took the place.
      if (!isDuplicate(error, BY_NUMBER)) throw error
    }
  }
}

/**
 * The lowest free places, as many as the cap leaves. Concurrent inserts compete for the same places, so they cannot exceed the cap even if older
 * documents have no place.
 */
export function freeNumbers(held: readonly Pick<Numbered, 'place'>[], cap: number): number[] {
  const taken = new Set(held.map(({ place }) => place))
  const free: number[] = []
  for (let place = 0; free.length < cap - held.length; place++) if (!taken.has(place)) free.push(place)
  return free
}
