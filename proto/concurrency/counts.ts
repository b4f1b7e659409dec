/** Counts by key. A key whose count is zero takes no memory. */
export class Counts {
  readonly #counts = new Map<string, number>()

  of(key: string): number {
    return this.#counts.get(key) ?? 0
  }

  /** Adds to a count, or takes away from it. Returns the new count. */
  add(key: string, change: number): number {
    const count = this.of(key) + change
    if (count > 0) this.#counts.set(key, count)
    else this.#counts.delete(key)
    return count
  }
}
