interface SharedFetch<Result> {
  uids: Set<string>
  result: Promise<Result>
}

/**
 * Shares one fetch among all who ask about an event in the same pass of the event loop. A fetch that has begun is not joined: it may
 * have read before a change that the asker must see.
 */
export class SharedFetches<Result> {
  readonly #waiting = new Map<string, SharedFetch<Result>>()

  /** Returns the result of the fetch that includes these uids. */
  join(eventId: string, uids: string[], fetch: (uids: string[]) => Promise<Result>): Promise<Result> {
    const shared = this.#waiting.get(eventId) ?? this.#begin(eventId, fetch)
    for (const uid of uids) shared.uids.add(uid)
    return shared.result
  }

  #begin(eventId: string, fetch: (uids: string[]) => Promise<Result>): SharedFetch<Result> {
    const uids = new Set<string>()
    const result = new Promise((resolve) => setImmediate(resolve)).then(() => {
      this.#waiting.delete(eventId)
      return fetch([...uids])
    })
    const shared = { uids, result }
    this.#waiting.set(eventId, shared)
    return shared
  }
}
