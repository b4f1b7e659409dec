/** How high the cards of a list are: those that were seen as measured, the others as the first ones were on average. */
export class Heights {
  readonly #measured = new Map<number, number>()
  /** How high a card is that was not seen yet. */
  usual: number

  constructor(usual: number) {
    this.usual = usual
  }

  /** Takes what was measured, by the numbers of the cards. Returns whether it is other than what was known. */
  take(seen: ReadonlyMap<number, number>): boolean {
    if (this.#measured.size === 0 && seen.size > 0)
      this.usual = [...seen.values()].reduce((sum, height) => sum + height) / seen.size
    const found = [...seen].filter(([index, height]) => this.#measured.get(index) !== height)
    for (const [index, height] of found) this.#measured.set(index, height)
    return found.length > 0
  }

  /** Where a card begins. */
  top(index: number): number {
    let top = index * this.usual
    for (const [each, height] of this.#measured) if (each < index) top += height - this.usual
    return top
  }

  /** The card at a place, of so many; -1 if there is none. */
  at(place: number, count: number): number {
    let [found, end] = [Math.min(0, count - 1), count]
    while (found + 1 < end) {
      const middle = Math.floor((found + end) / 2)
      if (this.top(middle) <= place) found = middle
      else end = middle
    }
    return found
  }
}
