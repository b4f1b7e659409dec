/** Texts by number, from 0 on in the order in which they first came: each is held once, however often it comes. */
export class StringTable {
  readonly #numbers = new Map<string, number>()
  /** The text of each number. */
  readonly strings: string[] = []

  /** The number of a text, which a new one is given. */
  numberOf(text: string): number {
    const known = this.#numbers.get(text)
    if (known !== undefined) return known
    this.#numbers.set(text, this.strings.length)
    return this.strings.push(text) - 1
  }

  /** The number of a text that came before. */
  known(text: string): number | undefined {
    return this.#numbers.get(text)
  }
}
