import { coalesced } from '@gatehouse/proto/concurrency/coalescing.ts'
import type { Collection, Document, Filter } from 'mongodb'

/** Concurrent reads of `coalesced`: the more lookups share a query, the less each of them costs. */
export const ONE_READ_AT_A_TIME = 1

/** Finds a document of an account by a field. Callers may share the object and must not change it. */
export type FindOne<T> = (account_id: string, key: string) => Promise<T | null>

/**
 * Finds single documents by a field that is unique in an account. Concurrent lookups share queries, and a query starts after its lookups:
 * a sign-in needs many documents, none of which may be cached. `hint` names the index; `_id` needs none.
 */
export function coalescedFinder<T extends Document & { account_id: string }>(
  collection: Collection<T>,
  field: string & keyof T,
  hint?: string,
): FindOne<T> {
  const find = coalesced(async (wanted: { account_id: string; key: string }[]) => {
    const byAccount = Map.groupBy(wanted, ({ account_id }) => account_id)
    const found = await Promise.all(
      [...byAccount].map(async ([account_id, ofAccount]) => {
        const keys = new Set(ofAccount.map(({ key }) => key))
        const filter = { account_id, [field]: { $in: [...keys] } } as Filter<T>
        // All in one batch: without a cursor the store does a quarter less work.
        const options = { singleBatch: true, batchSize: keys.size, ...(hint !== undefined && { hint }) }
        const documents = (await collection.find(filter, options).toArray()) as T[]
        return [account_id, new Map(documents.map((document) => [document[field] as string, document]))] as const
      }),
    )
    const accounts = new Map(found)
    return wanted.map(({ account_id, key }) => accounts.get(account_id)?.get(key) ?? null)
  }, ONE_READ_AT_A_TIME)
  return (account_id, key) => find({ account_id, key })
}
