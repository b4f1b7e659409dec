import { unavailable } from './faults.ts'

interface Waiting {
  weight: number
  start: () => void
  timer: NodeJS.Timeout
}

/** A weighted semaphore: work of at most `capacity` runs at once, heavier work alone; what waits is served in the order in which it came. */
export class Semaphore {
  readonly #capacity: number
  readonly #queue: Waiting[] = []
  #held = 0

  constructor(capacity: number) {
    this.#capacity = capacity
  }

  /** Does the work when there is room for it. Rejects with `unavailable` (503), without doing it, when there is none within `waitMs`. */
  async run<T>(weight: number, waitMs: number, work: () => Promise<T>): Promise<T> {
    const held = Math.min(weight, this.#capacity)
    await this.#acquire(held, waitMs)
    try {
      return await work()
    } finally {
      this.#held -= held
      this.#startNext()
    }
  }

  #acquire(weight: number, waitMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        weight,
        start: () => {
          clearTimeout(waiting.timer)
          resolve()
        },
        timer: setTimeout(() => {
          this.#queue.splice(this.#queue.indexOf(waiting), 1)
          reject(unavailable())
          this.#startNext()
        }, waitMs),
      }
      this.#queue.push(waiting)
      this.#startNext()
    })
  }

  #startNext(): void {
    for (let next = this.#queue[0]; next && this.#held + next.weight <= this.#capacity; next = this.#queue[0]) {
      this.#queue.shift()
      this.#held += next.weight
      next.start()
    }
  }
}
