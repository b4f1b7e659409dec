import { timely } from './timely.ts'

const UP_EVERY_MS = 20_000
const DOWN_EVERY_MS = 2_000

/** Whether the server answers in time. Where it does not, this asks again and again, so that nobody has to switch anything. */
export class Reachability {
  readonly #contact: () => Promise<unknown>
  readonly #changed: () => void
  readonly #reached: () => void
  #reachedAt = Number.NEGATIVE_INFINITY
  #isUp = navigator.onLine
  #timer: ReturnType<typeof setTimeout> | undefined
  #isStopped = false

  /**
   * `contact` asks the server something small. `changed` is called after each contact that came in time, and when it is lost. `reached` is
   * called where the server can be reached, in time or not: on a slow network no steward waits for it, but what can wait goes on.
   */
  constructor(contact: () => Promise<unknown>, changed: () => void, reached: () => void) {
    this.#contact = contact
    this.#changed = changed
    this.#reached = reached
  }

  get isUp(): boolean {
    return this.#isUp
  }

  start(): void {
    addEventListener('online', this.#ask)
    addEventListener('offline', this.lose)
    void this.#ask()
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
    removeEventListener('online', this.#ask)
    removeEventListener('offline', this.lose)
  }

  /** The server did not answer in time. */
  readonly lose = (): void => {
    if (!this.#isUp) return
    this.#isUp = false
    this.#changed()
    this.#askIn(DOWN_EVERY_MS)
  }

  readonly #ask = async (): Promise<void> => {
    clearTimeout(this.#timer)
    const contact = this.#contact().then(() => true)
    const isInTime = await timely(contact)
    if (this.#isStopped) return
    if (isInTime) {
      this.#isUp = true
      this.#changed()
      this.#reach()
    } else {
      this.lose()
      contact.then(this.#reachLate, () => {})
    }
    this.#askIn(this.#isUp ? UP_EVERY_MS : DOWN_EVERY_MS)
  }

  #reach(): void {
    this.#reachedAt = performance.now()
    this.#reached()
  }

  /** Contacts that come late are many: one is begun every two seconds. */
  readonly #reachLate = (): void => {
    if (!this.#isStopped && performance.now() - this.#reachedAt >= UP_EVERY_MS) this.#reach()
  }

  #askIn(ms: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(this.#ask, ms)
  }
}
