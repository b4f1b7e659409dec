const FIRST_SIZE = 1_024
const FULL = 255

/** Counts by number, a byte each; larger ones are kept in a map. */
export class Counters {
  #bytes = new Uint8Array(FIRST_SIZE)
  /** The whole count where the byte is full. */
  readonly #large = new Map<number, number>()

  get(index: number): number {
    const byte = this.#bytes[index] ?? 0
    return byte === FULL ? (this.#large.get(index) ?? FULL) : byte
  }

  /** Adds to a count, and returns the sum. */
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
