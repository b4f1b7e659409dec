/** How a long list is worked on. */
interface ChunkOptions {
  /** Items of a chunk. */
  size?: number
  /** Chunks under way at once. */
  concurrency?: number
}

/** Works on a long list a chunk at a time, and gives all results together, in order. */
export async function inChunks<Item, Result>(
  items: readonly Item[],
  work: (chunk: Item[]) => Promise<Result[]>,
  { size = 500, concurrency = 4 }: ChunkOptions = {},
): Promise<Result[]> {
  const results: Result[][] = []
  let next = 0
  const worker = async (): Promise<void> => {
    while (next * size < items.length) {
      const index = next++
      results[index] = await work(items.slice(index * size, (index + 1) * size))
    }
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  return results.flat()
}
