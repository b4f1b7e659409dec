/** What browsers say where a transaction could not be written. */
const FULL = ['QuotaExceededError', 'UnknownError', 'AbortError']

/** The device has no room for something. */
export class StorageFull extends Error {}

/** What `write` gives. Throws `StorageFull` where there is no room for it. */
export async function withRoom<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (error instanceof DOMException && FULL.includes(error.name)) throw new StorageFull()
    throw error
  }
}
