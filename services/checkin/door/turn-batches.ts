interface Batch<Result> {
  items: Set<string>
  result: Promise<Result>
}

/**
 * Shares one run among all who ask about a key in the same turn of the event loop. A run which has begun is not joined: it may
 * have read before a change which the asker must see.
 */
export class TurnBatches<Result> {
  readonly #run: (key: string, items: string[]) => Promise<Result>
  readonly #batches = new Map<string, Batch<Result>>()

  constructor(run: (key: string, items: string[]) => Promise<Result>) {
    this.#run = run
  }

  /** The result of the run which includes these items. */
  add(key: string, items: string[] = []): Promise<Result> {
    const batch = this.#batches.get(key) ?? this.#begin(key)
    for (const item of items) batch.items.add(item)
    return batch.result
  }

  #begin(key: string): Batch<Result> {
    const items = new Set<string>()
    const turn = new Promise((resolve) => setImmediate(resolve))
    const result = turn.then(() => {
      this.#batches.delete(key)
      return this.#run(key, [...items])
    })
    const batch = { items, result }
    this.#batches.set(key, batch)
    return batch
  }
}
