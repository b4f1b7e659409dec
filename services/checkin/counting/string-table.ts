/**
 * Numbers strings from 0 on, in the order in which they first came. Counts refer to a guest by number, so its uid is in memory once: with 300,000
 * check-ins of 100,000 guests an event takes 18 MiB (docs/performance.md).
 */
export class StringTable {
  readonly #numbers = new Map<string, number>()
  /** The strings by number. */
  readonly strings: string[] = []

  /** The number of a string; a new one gets the next. */
  numberOf(text: string): number {
    return this.#numbers.getOrInsertComputed(text, () => this.strings.push(text) - 1)
  }

  /** The number of a string; undefined if it is new. */
  known(text: string): number | undefined {
    return this.#numbers.get(text)
  }
}
