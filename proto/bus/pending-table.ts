/**
 * Items under ids that nobody can guess: whoever knows one can answer in the place of who was asked. This is not a Map because a Map with an addition and a deletion for every request copies itself
 * every hundred or so changes. The old copies lie in the old space, where garbage is seldom collected, and keep their items alive: every second
 * request outlived its answer until the next large collection (docs/performance.md).
 */
export class PendingTable<T> {
  readonly #entries: ({ id: string; item: T } | undefined)[] = []
  readonly #free: number[] = []

  /** Adds an item; returns its id, which has letters, digits and hyphens. */
  add(item: T): string {
    const index = this.#free.pop() ?? this.#entries.length
    const id = `${index.toString(36)}-${crypto.randomUUID()}`
    this.#entries[index] = { id, item }
    return id
  }

  get size(): number {
    return this.#entries.length - this.#free.length
  }

  /** The item of an id; undefined if it was deleted or never added. */
  get(id: string): T | undefined {
    const held = this.#entries[indexOf(id)]
    return held?.id === id ? held.item : undefined
  }

  delete(id: string): void {
    const index = indexOf(id)
    if (this.#entries[index]?.id !== id) return
    this.#entries[index] = undefined
    this.#free.push(index)
  }

  /** Calls `call` with each item; it may delete items. */
  forEach(call: (item: T, id: string) => void): void {
    for (const held of this.#entries) if (held) call(held.item, held.id)
  }
}

/** The number before the first hyphen. */
function indexOf(id: string): number {
  return Number.parseInt(id, 36)
}
