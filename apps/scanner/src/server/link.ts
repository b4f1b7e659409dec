import { timely } from './timely.ts'

const UP_EVERY_MS = 20_000
const DOWN_EVERY_MS = 2_000

/** Whether the server answers in time. Where it does not, this asks again and again, so that nobody has to switch anything. */
export class Link {
  readonly #contact: () => Promise<unknown>
  readonly #changed: () => void
  #isUp = navigator.onLine
  #timer: ReturnType<typeof setTimeout> | undefined
  #isStopped = false

  /** `contact` asks the server something small. `changed` is called after each contact which came in time, and when it is lost. */
  constructor(contact: () => Promise<unknown>, changed: () => void) {
    this.#contact = contact
    this.#changed = changed
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
    const isAnswered = await timely(this.#contact().then(() => true))
    if (this.#isStopped) return
    if (isAnswered) {
      this.#isUp = true
      this.#changed()
    } else this.lose()
    this.#askIn(this.#isUp ? UP_EVERY_MS : DOWN_EVERY_MS)
  }

  #askIn(ms: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(this.#ask, ms)
  }
}
