/** How long a steward waits for the server before this device answers by itself. */
export const PATIENCE_MS = 700

/** What a promise gives within `ms`, otherwise undefined; also if it fails. */
export function timely<T>(promise: Promise<T>, ms = PATIENCE_MS): Promise<T | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(undefined), ms)
    promise.then(resolve, () => resolve(undefined)).finally(() => clearTimeout(timer))
  })
}
