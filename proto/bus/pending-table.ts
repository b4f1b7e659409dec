/**
 * What is waited for, each under an id that nothing else had before. No Map: one to which something is added and taken from for every request
 * copies itself each hundred or so changes, and the copies that it leaves behind, which lie where garbage is seldom collected, keep what was in
 * them, so that every second request outlived its answer until the next large collection (docs/performance.md).
 */
export class Slots<T> {
  readonly #slots: ({ id: string; item: T } | undefined)[] = []
  readonly #free: number[] = []
  #sequence = 0

  /** Adds something; gives its id, of letters, digits and a hyphen. */
  add(item: T): string {
    const slot = this.#free.pop() ?? this.#slots.length
    const id = `${slot.toString(36)}-${(this.#sequence++).toString(36)}`
    this.#slots[slot] = { id, item }
    return id
  }

  /** What has this id; undefined where it was taken away, or was never given. */
  get(id: string): T | undefined {
    const held = this.#slots[slotOf(id)]
    return held?.id === id ? held.item : undefined
  }

  delete(id: string): void {
    const slot = slotOf(id)
    if (this.#slots[slot]?.id !== id) return
    this.#slots[slot] = undefined
    this.#free.push(slot)
  }

  /** Calls with each; some may be taken away meanwhile. */
  forEach(call: (item: T, id: string) => void): void {
    for (const held of this.#slots) if (held) call(held.item, held.id)
  }
}

/** What comes before the hyphen. */
function slotOf(id: string): number {
  return Number.parseInt(id, 36)
}
