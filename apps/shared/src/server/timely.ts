/** How long a steward waits for the server before this device answers by itself. */
const TIMEOUT_MS = 700

/** What a promise gives in time, otherwise undefined; also if it fails. */
export function timely<T>(promise: Promise<T>): Promise<T | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(undefined), TIMEOUT_MS)
    promise.then(resolve, () => resolve(undefined)).finally(() => clearTimeout(timer))
  })
}
