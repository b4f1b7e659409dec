import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'

/** How long a slice may occupy the event loop, in ms; an item that takes longer is a slice of its own. */
const SLICE_MS = 2

/** While others are being served, long work rests after a slice for this multiple of its duration. */
const REST = 4
/** Others count as being served for this long after their last request, in ms: at a door scans come more often. */
const OTHERS_MS = 500
/**
 * Bytes of large bodies that a process takes in per ms while others are being served, 2 MiB a second: a sender who is slowed down takes less of
 * the machine. All bodies that a gateway holds (48 MiB) still arrive within its request timeout.
 */
const BYTES_PER_MS = 2 * 1_048.576

/**
 * Does long work in slices, between which the event loop serves others. One slice of a process runs at a time. While others are being served the
 * slicer rests after each, so that all long work together takes at most a fifth of the process.
 */
export class TimeSlicer {
  #last: Promise<unknown> = Promise.resolve()
  #othersUntil = 0

  /** Reports a short request: long work rests for a while. */
  noteRequest(): void {
    this.#othersUntil = performance.now() + OTHERS_MS
  }

  /** Whether others are being served at the moment. */
  get servesOthers(): boolean {
    return performance.now() < this.#othersUntil
  }

  /** Rests after long work of a duration in ms, and of bytes that were taken in for it; if nobody else is being served, for a turn of the event loop. */
  rest(tookMs: number, bytes = 0): Promise<void> {
    return this.servesOthers ? sleep(Math.floor(Math.max(tookMs * REST, bytes / BYTES_PER_MS))) : nextTurn()
  }

  /** Runs one slice over as many bytes of a body when its turn comes, and returns its result. Rejects with the slice's error. */
  run<T>(slice: () => T, bytes = 0): Promise<T> {
    const turn = this.#last.then(async () => {
      // CPU time: on a busy machine a slice takes longer without doing more.
      const start = process.threadCpuUsage()
      try {
        return slice()
      } finally {
        const { user, system } = process.threadCpuUsage(start)
        await this.rest((user + system) / 1_000, bytes)
      }
    })
    this.#last = turn.catch(() => {})
    return turn
  }

  /** Maps the items in order, in as many slices as that takes. */
  async map<T, R>(items: Iterable<T>, work: (item: T) => R): Promise<R[]> {
    const results: R[] = []
    const iterator = items[Symbol.iterator]()
    for (let isDone = false; !isDone; ) {
      isDone = await this.run(() => {
        const end = performance.now() + SLICE_MS
        for (;;) {
          const next = iterator.next()
          if (next.done) return true
          results.push(work(next.value))
          if (performance.now() >= end) return false
        }
      })
    }
    return results
  }
}

/** The slicer of this process, which has one event loop. */
export const timeSlicer = new TimeSlicer()
