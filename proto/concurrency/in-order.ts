/**
 * Does `work` for items, `concurrency` at a time, and yields the results in input order; rethrows the first error in that order. Work in flight then
 * continues, and its results are dropped.
 */
export async function* mapInOrder<T, R>(
  items: AsyncIterable<T>,
  concurrency: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const inFlight: Promise<R>[] = []
  for await (const item of items) {
    const done = work(item)
    // The error surfaces where the result is awaited, unless an earlier one has failed.
    done.catch(() => {})
    inFlight.push(done)
    if (inFlight.length === concurrency) yield await (inFlight.shift() as Promise<R>)
  }
  for (const done of inFlight) yield await done
}
