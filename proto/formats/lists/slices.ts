/** Runs a slice of long work when its turn comes. */
export type Slice = <T>(work: () => T) => Promise<T>

/** Returns each slice a turn of the event loop. */
export const inTurns: Slice = async (work) => {
  const done = work()
  await new Promise<void>((resolve) => later(resolve))
  return done
}

/** Browsers have no `setImmediate`. */
const later: (work: () => void) => unknown =
  (globalThis as { setImmediate?: (work: () => void) => unknown }).setImmediate ?? setTimeout
