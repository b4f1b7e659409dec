import assert from 'node:assert/strict'
import { type CheckedEvent, until } from './event.ts'

const WORKERS = 8

/** Load at a door, while processes are ended. */
export class DoorLoad {
  /** Scans that let somebody in. */
  granted = 0
  /** What else was answered, and what was not. */
  readonly others: string[] = []
  readonly #event: CheckedEvent
  readonly #uids: Iterator<string>
  readonly #workers: Promise<void>[]
  #urls: string[]
  #isOver = false

  /** Starts to scan each guest once, at each gateway by turns. */
  constructor(event: CheckedEvent, urls: readonly string[]) {
    this.#event = event
    this.#uids = event.uids.values()
    this.#urls = [...urls]
    this.#workers = Array.from({ length: WORKERS }, () => this.#work())
  }

  /** Takes a gateway out of service as a Service does: what it has it may answer, but it gets no more. */
  withdraw(url: string): void {
    this.#urls = this.#urls.filter((each) => each !== url)
  }

  /** Resolves when this many more scans have let somebody in. */
  more(scans: number, signal: AbortSignal): Promise<true> {
    const enough = this.granted + scans
    return until(signal, async () => (this.granted >= enough || this.others.length > 0 ? true : undefined))
  }

  /** Ends after the scans that are on their way. Throws if any scan got another answer than that the guest may enter, or none. */
  async end(): Promise<string> {
    this.#isOver = true
    await Promise.all(this.#workers)
    assert.deepEqual(this.others.slice(0, 3), [])
    return `${this.granted} scans answered`
  }

  async #work(): Promise<void> {
    const { token, event_id, accesspoint_id } = this.#event
    for (let turn = 0; !this.#isOver; turn++) {
      const { value: guest_uid, done } = this.#uids.next()
      if (done) return
      const url = this.#urls[turn % this.#urls.length]
      try {
        const answer = await fetch(`${url}/api/v1/events/${event_id}/access_controls.json`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', connection: 'close' },
          body: JSON.stringify({ accesspoint_id, guest_uid }),
        })
        const body = await answer.text()
        if (answer.ok && JSON.parse(body).access_status === 0) this.granted++
        else this.others.push(`${answer.status} ${body}`)
      } catch (error) {
        this.others.push(`${(error as Error).message} ${(error as Error).cause}`)
      }
    }
  }
}
