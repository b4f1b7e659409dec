/** What browsers say where a transaction could not be written. */
const FULL = ['QuotaExceededError', 'UnknownError', 'AbortError']

/** The device's storage is full. */
export class StorageFull extends Error {}

/** Returns the result of `write`. Throws `StorageFull` if the storage is full. */
export async function withinQuota<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (error instanceof DOMException && FULL.includes(error.name)) throw new StorageFull()
    throw error
  }
}
