const FIRST_SIZE = 1_024
const FULL = 255

/** Small counts by number, a byte each. What does not fit is kept beside them. */
export class Counters {
  #bytes = new Uint8Array(FIRST_SIZE)
  /** Of those whose byte is full: the whole count. */
  readonly #large = new Map<number, number>()

  get(index: number): number {
    const byte = this.#bytes[index] ?? 0
    return byte === FULL ? (this.#large.get(index) ?? FULL) : byte
  }

  /** Adds to a count; gives the new one. */
  add(index: number, by: number): number {
    if (index >= this.#bytes.length) this.#grow(index)
    const count = this.get(index) + by
    this.#bytes[index] = Math.min(count, FULL)
    if (count >= FULL) this.#large.set(index, count)
    else this.#large.delete(index)
    return count
  }

  #grow(index: number): void {
    const larger = new Uint8Array(2 ** Math.ceil(Math.log2(index + 1)))
    larger.set(this.#bytes)
    this.#bytes = larger
  }
}
