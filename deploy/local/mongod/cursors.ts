/** The state to continue a cursor. */
export interface OpenCursor {
  db: string
  collection: string
  /** DocumentDB's continuation. */
  continuation: Buffer
}

/** The open cursors by id. Unused ones expire, as in MongoDB. */
export class Cursors {
  readonly #idleMs: number
  readonly #open = new Map<bigint, OpenCursor & { used: number }>()
  readonly #sweep: NodeJS.Timeout

  /** Calls `onExpired` with the ids of expired cursors. */
  constructor(idleMs: number, onExpired: (ids: bigint[]) => void) {
    this.#idleMs = idleMs
    this.#sweep = setInterval(
      () => {
        const limit = Date.now() - this.#idleMs
        const ids = [...this.#open].filter(([, { used }]) => used < limit).map(([id]) => id)
        for (const id of ids) this.#open.delete(id)
        if (ids.length) onExpired(ids)
      },
      Math.min(idleMs, 10_000),
    )
    this.#sweep.unref()
  }

  get size(): number {
    return this.#open.size
  }

  keep(id: bigint, cursor: OpenCursor): void {
    this.#open.set(id, { ...cursor, used: Date.now() })
  }

  /** Removes and returns a cursor of a database, so that no other request continues it concurrently. */
  take(id: bigint, db: string): OpenCursor | undefined {
    const cursor = this.#open.get(id)
    if (cursor?.db !== db) return undefined
    this.#open.delete(id)
    return cursor
  }

  /** Removes all cursors, after the loss of the engine. */
  clear(): void {
    this.#open.clear()
  }

  close(): void {
    clearInterval(this.#sweep)
  }
}
