import type { Collection, Filter } from 'mongodb'
import { insertOnce, isDuplicate } from './mongo.ts'

/** A document of which an account can have so many. */
export interface Numbered {
  _id: string
  account_id: string
  /** From 0 on; absent in what does not count, or is older than the cap. */
  place?: number
}

const BY_NUMBER = 'account_id_1_place_1'

/** The index that a collection of such documents needs. */
export const QUOTA_INDEX = {
  key: { account_id: 1, place: 1 },
  name: BY_NUMBER,
  unique: true,
  partialFilterExpression: { place: { $exists: true } },
} as const

/**
 * Stores a document, or gives what an earlier try stored under its `_id`; null where its account has `cap` that match `counted`. That holds
 * whatever many processes do at once: each new document takes a numbered place that a unique index keeps for it.
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
    if (!isKnown && numbers.length === 0) return null
    // Any of them will do: those who come at once seldom want the same.
    const number = numbers[Math.floor(Math.random() * numbers.length)]
    try {
      return await insertOnce(collection, { ...document, ...(number !== undefined && { place: number }) })
    } catch (error) {
      // Another document was faster.
      if (!isDuplicate(error, BY_NUMBER)) throw error
    }
  }
}

/**
 * The lowest free places, as many as the cap leaves. Concurrent inserts compete for the same places, so they can't exceed it, even where older
 * documents have no place.
 */
export function freeNumbers(held: readonly Pick<Numbered, 'place'>[], cap: number): number[] {
  const taken = new Set(held.map(({ place }) => place))
  const free: number[] = []
  for (let place = 0; free.length < cap - held.length; place++) if (!taken.has(place)) free.push(place)
  return free
}
