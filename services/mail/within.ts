const MAX_MS = 60_000

/** What came of handing an e-mail over; `late` if the mail server takes longer than all timeouts of a connection together. */
export function within<T>(handingOver: Promise<T>, late: T): Promise<T> {
  const { promise, resolve } = Promise.withResolvers<T>()
  const timer = setTimeout(() => resolve(late), MAX_MS)
  return Promise.race([handingOver, promise]).finally(() => clearTimeout(timer))
}
