import { isDuplicate } from './mongo.ts'

/** Runs an upsert, and again if a unique index refused it: a concurrent one stored the document meanwhile, which the second run updates. */
export async function upserted<T>(upsert: () => Promise<T>): Promise<T> {
  try {
    return await upsert()
  } catch (error) {
    if (!isDuplicate(error)) throw error
    return upsert()
  }
}
