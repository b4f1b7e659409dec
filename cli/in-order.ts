/**
 * Does `work` for items, `width` at once, and gives what it gives in the order of the items. Throws what the first that fails throws, once
 * those before it are given; what is in flight then comes to its end unheard.
 */
export async function* inOrder<T, R>(
  items: AsyncIterable<T>,
  width: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const inFlight: Promise<R>[] = []
  for await (const item of items) {
    const done = work(item)
    // Who waits for it hears of it, unless one before it has failed.
    done.catch(() => {})
    inFlight.push(done)
    if (inFlight.length === width) yield await (inFlight.shift() as Promise<R>)
  }
  for (const done of inFlight) yield await done
}
