import { setTimeout as sleep } from 'node:timers/promises'
import type { Note, Outbox } from '@gatehouse/proto/events/outbox.ts'
import type { CheckIn } from '../check-ins/store.ts'

/** Where it is noted that check-ins are about to be stored; which ones is not known before. */
export type CheckInOutbox = Outbox<never>

const TYPE = 'check_in.created'
/** How long a stretch is. They begin at the same moments in every process. */
const LENGTH_MS = 2_000
/** What is stored within so long a time is told together, but so many at most: whoever hears of a message works on it at once. */
const GATHER_MS = 30
const TOGETHER = 50
/** A stretch that began so long ago was left behind: longer than the door is at a flush. One may be thousands of check-ins. */
export const LEFT_BEHIND = { youngMs: 20_000, together: 2 }
/** What the stream does not take is tried again by whoever stored it, at growing intervals, as long as nobody else can be at it. */
const AGAIN_MS = 200
const ALONE_MS = LEFT_BEHIND.youngMs - 5_000
/** How long the end of a process waits for what is being told. */
const PATIENCE_MS = 2_000

/**
 * Tells of check-ins, without a write for each (docs/adr/0021): a note on disk says that check-ins of an event happen within two seconds, and goes
 * when the stream has all of them. What a note that was left behind speaks of is read from the store.
 */
export class Stretches {
  readonly #outbox: CheckInOutbox
  /** The present stretch of each event that is busy. */
  readonly #present = new Map<string, Stretch>()
  readonly #all = new Set<Stretch>()
  readonly #ended = new AbortController()

  constructor(outbox: CheckInOutbox) {
    this.#outbox = outbox
  }

  /**
   * Does what stores check-ins of an event that came at `at`, and has those told that `storedBy` says it stored. When it throws, whatever
   * it stored is told later.
   */
  async telling<T>(event_id: string, at: Date, work: () => Promise<T>, storedBy: (done: T) => CheckIn[]): Promise<T> {
    if (!this.#outbox.wants(TYPE)) return work()
    return this.#at(event_id, at.getTime()).telling(work, storedBy)
  }

  /** Tells what is still to be told, but does not wait for ever: the notes are on disk. */
  async stop(): Promise<void> {
    this.#ended.abort()
    for (const stretch of this.#all) stretch.end()
    const told = Promise.all([...this.#all].map(({ over }) => over))
    await Promise.race([told, sleep(PATIENCE_MS, undefined, { ref: false })])
  }

  #at(event_id: string, now: number): Stretch {
    const from = now - (now % LENGTH_MS)
    const present = this.#present.get(event_id)
    if (present?.from === from && !present.hasEnded) return present
    present?.end()
    const stretch = new Stretch(this.#outbox, event_id, from, this.#ended.signal)
    this.#present.set(event_id, stretch)
    this.#all.add(stretch)
    // Whoever comes later has a stretch of their own, by the clock; by this one nobody comes any more.
    const ending = setTimeout(() => stretch.end(), LENGTH_MS)
    void stretch.over.then(() => {
      clearTimeout(ending)
      this.#all.delete(stretch)
      if (this.#present.get(event_id) === stretch) this.#present.delete(event_id)
    })
    return stretch
  }
}

/** The check-ins of an event that came within a stretch of time. */
class Stretch {
  readonly #outbox: CheckInOutbox
  readonly #noted: Promise<Note<never>>
  readonly #over = Promise.withResolvers<void>()
  readonly #ended: AbortSignal
  readonly from: number
  #working = 0
  #telling = 0
  #parts = 0
  #gathered: CheckIn[] = []
  #hasEnded = false
  #isOver = false
  /** Everything that was stored is told, or will be by this process. */
  #isWhole = true

  constructor(outbox: CheckInOutbox, event_id: string, from: number, ended: AbortSignal) {
    this.#outbox = outbox
    this.#ended = ended
    this.from = from
    const stretch = { type: TYPE, event_id, items: [], until: new Date(from + LENGTH_MS) } as const
    this.#noted = outbox.note(stretch, new Date(from))
    // Nobody gets in by this one: who comes next notes anew.
    this.#noted.catch(() => this.end())
  }

  /** Whether nobody comes any more. */
  get hasEnded(): boolean {
    return this.#hasEnded
  }

  /** Resolves when nothing more is told of it. */
  get over(): Promise<void> {
    return this.#over.promise
  }

  async telling<T>(work: () => Promise<T>, storedBy: (done: T) => CheckIn[]): Promise<T> {
    this.#working++
    try {
      await this.#noted
      const done = await work()
      this.#gather(storedBy(done))
      return done
    } catch (error) {
      this.#isWhole = false
      throw error
    } finally {
      this.#working--
      this.#finish()
    }
  }

  /** Has nobody come any more. */
  end(): void {
    this.#hasEnded = true
    void this.#tellGathered()
  }

  #gather(checkIns: CheckIn[]): void {
    if (checkIns.length === 0) return
    if (this.#gathered.length === 0) setTimeout(() => void this.#tellGathered(), GATHER_MS)
    this.#gathered.push(...checkIns)
    if (this.#gathered.length >= TOGETHER) void this.#tellGathered()
  }

  async #tellGathered(): Promise<void> {
    const gathered = this.#gathered
    this.#gathered = []
    if (gathered.length > 0) {
      this.#telling++
      const pieces = Array.from({ length: Math.ceil(gathered.length / TOGETHER) }, (_, index) =>
        gathered.slice(index * TOGETHER, (index + 1) * TOGETHER),
      )
      const taken = await Promise.all(pieces.map((piece) => this.#tell(piece)))
      this.#isWhole &&= taken.every((isTaken) => isTaken)
      this.#telling--
    }
    this.#finish()
  }

  /** Whether the stream has taken a piece; under the same id however often it is tried, so that it is told once. */
  async #tell(piece: CheckIn[]): Promise<boolean> {
    const part = this.#parts++
    const note = await this.#noted
    for (let delay = AGAIN_MS; !(await this.#outbox.tell(note, part, piece)); delay *= 2) {
      if (this.#ended.aborted || Date.now() + delay > this.from + ALONE_MS) return false
      await sleep(delay, undefined, { signal: this.#ended }).catch(() => {})
    }
    return true
  }

  /** Takes the note away when there is nothing more to tell. What could not be told is told by what the note says. */
  #finish(): void {
    if (this.#isOver || !this.#hasEnded || this.#working + this.#telling + this.#gathered.length > 0) return
    this.#isOver = true
    if (this.#isWhole) void this.#noted.then((note) => this.#outbox.forget(note))
    this.#over.resolve()
  }
}
