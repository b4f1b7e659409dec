import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { Poller } from '@gatehouse/proto/concurrency/poller.ts'
import { Fault } from '@gatehouse/proto/declaring/faults.ts'
import type { Topic } from '@gatehouse/proto/declaring/topic.ts'
import type { Log } from '@gatehouse/proto/process/log.ts'
import type { Mailer } from '@gatehouse/proto/process/mail.ts'

/** E-mails that are handed over at once. */
const AT_ONCE = 5
/** How often it is asked for due e-mails that nobody has announced: those that were postponed, or left by a process that died. */
const EVERY_MS = 2_000
const IDLE_MS = 16_000

/** What sends e-mails that another service keeps. */
export interface MailingOptions {
  bus: Bus
  mailer: Mailer
  log: Log
}

interface DueMailsOptions<T> extends Omit<MailingOptions, 'mailer'> {
  /** Announces that e-mails may be due. */
  topic: Topic<string>
  /** What is sent, for the log. */
  name: string
  /** Returns at most so many due e-mails of the service that keeps them. */
  take: (limit: number) => Promise<readonly T[]>
  handOver: (due: T) => Promise<void>
}

/** Hands over the e-mails that another service keeps, a few at once, when that service announces them and now and then. */
export class DueMails<T> {
  readonly #options: DueMailsOptions<T>
  readonly #poller: Poller

  constructor(options: DueMailsOptions<T>) {
    this.#options = options
    this.#poller = new Poller({
      everyMs: EVERY_MS,
      idleMs: IDLE_MS,
      look: (signal) => this.#handOverAll(signal),
      onError: (error) => {
        // While the other service is away or starting, its own health says so.
        const isAway = error instanceof Fault && error.code === 'unavailable'
        if (!isAway) options.log.warn({ err: error }, `sending ${options.name} failed; retrying`)
      },
    })
  }

  start(): void {
    const { bus, topic } = this.#options
    bus.listen(topic, () => this.#poller.wake())
    this.#poller.wake()
  }

  /** Takes no more e-mails and resolves when the current ones are handed over. */
  async stop(): Promise<void> {
    await this.#poller.stop()
  }

  /** Returns whether there were any. */
  async #handOverAll(signal: AbortSignal): Promise<boolean> {
    const { take, handOver } = this.#options
    for (let found = 0; ; ) {
      const due = await take(AT_ONCE)
      await Promise.all(due.map(handOver))
      found += due.length
      if (due.length === 0 || signal.aborted) return found > 0
    }
  }
}
