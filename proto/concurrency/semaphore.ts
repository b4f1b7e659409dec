import { unavailable } from '../declaring/faults.ts'

/** What waits for its turn. */
interface Waiting {
  key: string
  weight: number
  start: () => void
  timer: NodeJS.Timeout
}

/**
 * A weighted semaphore that is fair to whoever shares it: work of at most `capacity` runs at once, and of at most `perKey` for one key.
 * Among those that wait the next is of the key which holds least, the oldest first.
 */
export class Semaphore {
  readonly #capacity: number
  readonly #perKey: number
  readonly #byKey = new Map<string, number>()
  readonly #queue: Waiting[] = []
  #held = 0

  constructor(capacity: number, perKey: number) {
    this.#capacity = capacity
    this.#perKey = perKey
  }

  /** Does the work when there is room for it. Rejects with `unavailable` (503), without doing it, when there is none within `waitMs`. */
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

  /** Whose turn is next. It is waited for, however much room it takes. */
  #next(): Waiting | undefined {
    let next: Waiting | undefined
    let least = Number.POSITIVE_INFINITY
    for (const waiting of this.#queue) {
      const held = this.#byKey.get(waiting.key) ?? 0
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
    const held = (this.#byKey.get(key) ?? 0) + weight
    if (held > 0) this.#byKey.set(key, held)
    else this.#byKey.delete(key)
  }
}
