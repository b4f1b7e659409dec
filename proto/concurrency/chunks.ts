import { timeSlicer } from './time-slices.ts'

interface ChunkOptions {
  /** The size of the next chunk. */
  size?: () => number
  concurrency?: number
}

/** One chunk after the other: in between the process answers other requests. A chunk costs a round trip to each store. */
export const GIVING_WAY = { size: () => (timeSlicer.servesOthers ? 100 : 500), concurrency: 1 } satisfies ChunkOptions

/** Processes a list in chunks, several concurrently, and returns all results in order. */
export async function inChunks<Item, Result>(
  items: readonly Item[],
  work: (chunk: Item[]) => Promise<Result[]>,
  { size = () => 500, concurrency = 4 }: ChunkOptions = {},
): Promise<Result[]> {
  const results: Result[][] = []
  let next = 0
  const worker = async (): Promise<void> => {
    while (next < items.length) {
      const from = next
      next += size()
      const index = results.push([]) - 1
      results[index] = await work(items.slice(from, next))
    }
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  return results.flat()
}
