import { randomUUID } from 'node:crypto'
import type { HostMail } from '@gatehouse/guests/host-mails'
import * as guestTopics from '@gatehouse/guests/topics'
import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { Poller } from '@gatehouse/proto/concurrency/poller.ts'
import { Fault } from '@gatehouse/proto/declaring/faults.ts'
import type { Log } from '@gatehouse/proto/process/log.ts'
import { attemptOf, type FailedAttempt, type Mailer } from '@gatehouse/proto/process/mail.ts'
import { hostMails } from './permissions.ts'
import { reported } from './reporting.ts'
import { observed } from './sending.ts'
import { withTimeout } from './timeout.ts'

/** E-mails that are handed over at once. */
const AT_ONCE = 5
/** How often it is asked for due e-mails that nobody has announced. */
const EVERY_MS = 2_000
const IDLE_MS = 16_000

interface HostMailingOptions {
  bus: Bus
  mailer: Mailer
  log: Log
}

/**
 * Sends the e-mails that tell hosts that their guests have arrived. That one is begun is stored before it is sent, and only one that the mail
 * server surely has not taken is sent again: so none is sent twice, and one may be lost with the process.
 */
export class HostMailing {
  readonly #options: HostMailingOptions
  readonly #guests
  readonly #poller: Poller

  constructor(options: HostMailingOptions) {
    this.#options = options
    this.#guests = clientOf(options.bus, hostMails)
    this.#poller = new Poller({
      everyMs: EVERY_MS,
      idleMs: IDLE_MS,
      look: (signal) => this.#handOverAll(signal),
      onError: (error) => {
        // While the guests service is away or starting, its own health says so.
        const isAway = error instanceof Fault && error.code === 'unavailable'
        if (!isAway) options.log.warn({ err: error }, 'sending e-mails to hosts failed; retrying')
      },
    })
  }

  start(): void {
    this.#options.bus.listen(guestTopics.hostMails, () => this.#poller.wake())
    this.#poller.wake()
  }

  /** Takes no more e-mails and resolves when the current ones are handed over. */
  async stop(): Promise<void> {
    await this.#poller.stop()
  }

  /** Returns whether there were any. */
  async #handOverAll(signal: AbortSignal): Promise<boolean> {
    for (let found = 0; ; ) {
      const due = await this.#guests.due({ body: { limit: AT_ONCE } })
      await Promise.all(due.map((guest) => this.#handOver(guest)))
      found += due.length
      if (due.length === 0 || signal.aborted) return found > 0
    }
  }

  async #handOver({ _id, event_id }: { _id: string; event_id: string }): Promise<void> {
    const body = { _id, event_id, claim: randomUUID() }
    const { mail } = await reported(() => this.#guests.begin({ body }))
    if (!mail) return
    const { outcome } = await observed({}, async () => ({ outcome: await this.#send(_id, mail) }))
    if (outcome === 'later') await reported(() => this.#guests.postpone({ body }))
  }

  async #send(guest_id: string, mail: HostMail): Promise<'sent' | FailedAttempt> {
    const sent = this.#options.mailer
      .send({ ...mail, message_id: `${guest_id}.host` })
      .then(() => 'sent' as const, attemptOf)
    return withTimeout(sent, 'unknown')
  }
}
