import { coalesced } from '@gatehouse/proto/concurrency/coalescing.ts'
import type { Collection, Document, Filter } from 'mongodb'

/** How many reads of `coalesced` are under way: the more go along with the next, the less each of them costs. */
export const ONE_READ_AT_A_TIME = 1

/** Finds one thing of an account by a field. Several may be given the same object: nobody may change it. */
export type FindOne<T> = (account_id: string, key: string) => Promise<T | null>

/**
 * Finds single documents by a field that no two of an account share. Those that are asked for at the same time are read together, and
 * none before it was asked for: a sign-in asks for a lot, and nothing of it may be remembered. `hint` names the index; `_id`
 * needs none.
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
        // As many as there can be, in one answer: the store keeps no cursor, which spares it a quarter of its work.
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
