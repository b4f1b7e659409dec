interface SharedRun<Result> {
  items: Set<string>
  result: Promise<Result>
}

/**
 * Shares one run among all who ask about a key in the same turn of the event loop. A run that has begun is not joined: it may
 * have read before a change that the asker must see.
 */
export class SharedPerTurn<Result> {
  readonly #run: (key: string, items: string[]) => Promise<Result>
  readonly #shared = new Map<string, SharedRun<Result>>()

  constructor(run: (key: string, items: string[]) => Promise<Result>) {
    this.#run = run
  }

  /** The result of the run that includes these items. */
  add(key: string, items: string[] = []): Promise<Result> {
    const shared = this.#shared.get(key) ?? this.#begin(key)
    for (const item of items) shared.items.add(item)
    return shared.result
  }

  #begin(key: string): SharedRun<Result> {
    const items = new Set<string>()
    const turn = new Promise((resolve) => setImmediate(resolve))
    const result = turn.then(() => {
      this.#shared.delete(key)
      return this.#run(key, [...items])
    })
    const shared = { items, result }
    this.#shared.set(key, shared)
    return shared
  }
}
