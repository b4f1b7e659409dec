/** A seeded random generator, for made-up data only. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** From 0, below 1 (mulberry32, Tommy Ettinger, public domain). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }

  /** True with this probability. */
  chance(share: number): boolean {
    return this.next() < share
  }

  /** A number between two others. */
  between(least: number, most: number): number {
    return least + this.next() * (most - least)
  }

  /** A whole number from 0, below `end`. */
  below(end: number): number {
    return Math.floor(this.next() * end)
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T
  }

  shuffled<T>(items: readonly T[]): T[] {
    return items
      .map((item) => ({ item, place: this.next() }))
      .sort((a, b) => a.place - b.place)
      .map(({ item }) => item)
  }

  /** A random key by weight. */
  weighted<K extends string>(weights: Record<K, number>): K {
    const entries = Object.entries(weights) as [K, number][]
    let left = this.next() * entries.reduce((sum, [, weight]) => sum + weight, 0)
    for (const [key, weight] of entries) {
      left -= weight
      if (left < 0) return key
    }
    return entries.at(-1)![0]
  }

  /** Approximately normally distributed (the sum of twelve draws). */
  bell(mean: number, deviation: number): number {
    let sum = -6
    for (let draw = 0; draw < 12; draw++) sum += this.next()
    return mean + sum * deviation
  }

  /** A code of lower-case letters and digits, like the service's uids. */
  code(length = 10): string {
    return Array.from({ length }, () => this.pick([...'abcdefghijklmnopqrstuvwxyz0123456789'])).join('')
  }
}
