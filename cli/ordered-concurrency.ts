/**
 * Does `work` for items, `concurrency` at once, and yields results in input order; rethrows the first failure in that order. What is in flight then
 * goes on, and its results are dropped.
 */
export async function* mapInOrder<T, R>(
  items: AsyncIterable<T>,
  concurrency: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const inFlight: Promise<R>[] = []
  for await (const item of items) {
    const done = work(item)
    // Who waits for it hears of it, unless one before it has failed.
    done.catch(() => {})
    inFlight.push(done)
    if (inFlight.length === concurrency) yield await (inFlight.shift() as Promise<R>)
  }
  for (const done of inFlight) yield await done
}
