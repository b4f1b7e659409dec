/** What is needed to go on with a cursor. */
export interface OpenCursor {
  db: string
  collection: string
  /** DocumentDB's own note of where it is. */
  continuation: Buffer
}

/** The open cursors by id. One that nobody asks for is forgotten after a while, as MongoDB does. */
export class Cursors {
  readonly #idleMs: number
  readonly #open = new Map<bigint, OpenCursor & { used: number }>()
  readonly #sweep: NodeJS.Timeout

  /** `onExpired` is told the ids of those forgotten. */
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

  /** Takes a cursor out, so that nobody else goes on with it meanwhile. */
  take(id: bigint): OpenCursor | undefined {
    const cursor = this.#open.get(id)
    this.#open.delete(id)
    return cursor
  }

  /** Forgets all: the engine that knew them was lost. */
  clear(): void {
    this.#open.clear()
  }

  close(): void {
    clearInterval(this.#sweep)
  }
}
