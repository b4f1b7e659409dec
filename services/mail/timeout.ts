const TIMEOUT_MS = 60_000

/** Returns what came of sending an e-mail, or `late` if the mail server takes longer than all timeouts of a connection together. */
export function withTimeout<T>(sending: Promise<T>, late: T): Promise<T> {
  const { promise, resolve } = Promise.withResolvers<T>()
  const timer = setTimeout(() => resolve(late), TIMEOUT_MS)
  return Promise.race([sending, promise]).finally(() => clearTimeout(timer))
}
