import { unavailable } from '../declaring/faults.ts'
import { Counts } from './counts.ts'

interface Waiting {
  key: string
  weight: number
  start: () => void
  timer: NodeJS.Timeout
}

/**
 * A weighted semaphore that is fair among keys: work of at most `capacity` runs concurrently, and of at most `perKey` for one key. The key that
 * holds least is next, and its oldest work first.
 */
export class Semaphore {
  readonly #capacity: number
  readonly #perKey: number
  readonly #byKey = new Counts()
  readonly #queue: Waiting[] = []
  #held = 0

  constructor(capacity: number, perKey: number) {
    this.#capacity = capacity
    this.#perKey = perKey
  }

  /** Does the work as soon as there is room. Rejects with `unavailable` (503), without doing it, if there is none within `waitMs`. */
  async run<T>(key: string, weight: number, waitMs: number, work: () => Promise<T>): Promise<T> {
    const held = Math.min(weight, this.#perKey)
    await this.#acquire(key, held, waitMs)
    try {
      return await work()
    } finally {
      this.#add(key, -held)
      this.#startNext()
    }
  }

  #acquire(key: string, weight: number, waitMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        key,
        weight,
        start: () => {
          clearTimeout(waiting.timer)
          resolve()
        },
        timer: setTimeout(() => {
          this.#remove(waiting)
          reject(unavailable())
          this.#startNext()
        }, waitMs),
      }
      this.#queue.push(waiting)
      this.#startNext()
    })
  }

  #startNext(): void {
    for (let next = this.#next(); next && this.#held + next.weight <= this.#capacity; next = this.#next()) {
      this.#remove(next)
      this.#add(next.key, next.weight)
      next.start()
    }
  }

  /** The work whose turn is next. Smaller work does not overtake it, however much room it needs. */
  #next(): Waiting | undefined {
    let next: Waiting | undefined
    let least = Number.POSITIVE_INFINITY
    for (const waiting of this.#queue) {
      const held = this.#byKey.of(waiting.key)
      if (held + waiting.weight > this.#perKey || held >= least) continue
      next = waiting
      least = held
    }
    return next
  }

  #remove(waiting: Waiting): void {
    this.#queue.splice(this.#queue.indexOf(waiting), 1)
  }

  #add(key: string, weight: number): void {
    this.#held += weight
    this.#byKey.add(key, weight)
  }
}
