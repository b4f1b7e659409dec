/**
 * What is waited for, each under an id that nothing else had before. No Map: one to which something is added and taken from for every request
 * copies itself each hundred or so changes, and the copies that it leaves behind, which lie where garbage is seldom collected, keep what was in
 * them, so that every second request outlived its answer until the next large collection (docs/performance.md).
 */
export class PendingTable<T> {
  readonly #entries: ({ id: string; item: T } | undefined)[] = []
  readonly #free: number[] = []
  #sequence = 0

  /** Adds something; gives its id, of letters, digits and a hyphen. */
  add(item: T): string {
    const index = this.#free.pop() ?? this.#entries.length
    const id = `${index.toString(36)}-${(this.#sequence++).toString(36)}`
    this.#entries[index] = { id, item }
    return id
  }

  /** What has this id; undefined where it was taken away, or was never given. */
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

  /** Calls with each; some may be taken away meanwhile. */
  forEach(call: (item: T, id: string) => void): void {
    for (const held of this.#entries) if (held) call(held.item, held.id)
  }
}

/** What comes before the hyphen. */
function indexOf(id: string): number {
  return Number.parseInt(id, 36)
}
