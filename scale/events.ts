/** What happens in the simulation, by time: a binary heap, in which what is due at the same moment keeps its order. */
export class Events {
  /** Milliseconds since the beginning. */
  now = 0
  #added = 0
  readonly #heap: { at: number; order: number; act: () => void }[] = []

  /** Does something so many milliseconds from now. */
  after(ms: number, act: () => void): void {
    const heap = this.#heap
    const event = { at: this.now + ms, order: this.#added++, act }
    let place = heap.push(event) - 1
    while (place > 0) {
      const above = (place - 1) >> 1
      if (!isBefore(event, heap[above]!)) break
      heap[place] = heap[above]!
      place = above
    }
    heap[place] = event
  }

  /** Lets the next thing happen; false if nothing is left. */
  next(): boolean {
    const heap = this.#heap
    const first = heap[0]
    const last = heap.pop()
    if (!first || !last) return false
    if (heap.length > 0) {
      let place = 0
      for (;;) {
        let below = 2 * place + 1
        if (below >= heap.length) break
        if (below + 1 < heap.length && isBefore(heap[below + 1]!, heap[below]!)) below++
        if (!isBefore(heap[below]!, last)) break
        heap[place] = heap[below]!
        place = below
      }
      heap[place] = last
    }
    this.now = first.at
    first.act()
    return true
  }
}

function isBefore(a: { at: number; order: number }, b: { at: number; order: number }): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order)
}
