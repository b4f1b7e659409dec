/**
 * Does `work` for items, `concurrency` at a time, until all are done, `stop` is aborted or one throws; then waits for those in flight and rethrows
 * the error. Returns the number of items begun.
 */
export async function forEachConcurrently<T>(
  items: readonly T[],
  concurrency: number,
  stop: AbortSignal,
  work: (item: T) => Promise<void>,
): Promise<number> {
  let next = 0
  let failed = false
  const worker = async (): Promise<void> => {
    while (next < items.length && !stop.aborted && !failed) {
      try {
        await work(items[next++] as T)
      } catch (error) {
        failed = true
        throw error
      }
    }
  }
  const workers = await Promise.allSettled(Array.from({ length: Math.min(concurrency, items.length) }, worker))
  const failure = workers.find((each) => each.status === 'rejected')
  if (failure) throw failure.reason
  return next
}
