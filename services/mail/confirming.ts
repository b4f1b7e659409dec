import type { ConfirmationMail } from '@gatehouse/partners/confirmations'
import * as partnerTopics from '@gatehouse/partners/topics'
import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { Poller } from '@gatehouse/proto/concurrency/poller.ts'
import { Fault } from '@gatehouse/proto/declaring/faults.ts'
import type { Log } from '@gatehouse/proto/process/log.ts'
import { attemptOf, type Mailer } from '@gatehouse/proto/process/mail.ts'
import { confirmations } from './permissions.ts'
import { reported } from './reporting.ts'
import { contentOf, observed, unsubscribeHeaders } from './sending.ts'
import { withTimeout } from './timeout.ts'

/** E-mails that are handed over at once. */
const AT_ONCE = 5
/** How often it is asked for due confirmations that nobody has announced: those that were postponed, or left by a process that died. */
const EVERY_MS = 2_000
const IDLE_MS = 16_000

interface ConfirmingOptions {
  bus: Bus
  mailer: Mailer
  log: Log
}

/**
 * Sends the e-mails that confirm that invited recipients are guests. The partners service keeps each of them until the mail server has taken
 * it. If a process dies in between, or the mail server's answer gets lost, it is sent once more, with the same `Message-ID`.
 */
export class Confirming {
  readonly #options: ConfirmingOptions
  readonly #partners
  readonly #poller: Poller

  constructor(options: ConfirmingOptions) {
    this.#options = options
    this.#partners = clientOf(options.bus, confirmations)
    this.#poller = new Poller({
      everyMs: EVERY_MS,
      idleMs: IDLE_MS,
      look: (signal) => this.#handOverAll(signal),
      onError: (error) => {
        // While the partners service is away or starting, its own health says so.
        const isAway = error instanceof Fault && error.code === 'unavailable'
        if (!isAway) options.log.warn({ err: error }, 'sending confirmations failed; retrying')
      },
    })
  }

  start(): void {
    this.#options.bus.listen(partnerTopics.confirmations, () => this.#poller.wake())
    this.#poller.wake()
  }

  /** Takes no more e-mails and resolves when the current ones are handed over. */
  async stop(): Promise<void> {
    await this.#poller.stop()
  }

  /** Returns whether there were any. */
  async #handOverAll(signal: AbortSignal): Promise<boolean> {
    for (let found = 0; ; ) {
      const mails = await this.#partners.claim({ body: { limit: AT_ONCE } })
      await Promise.all(mails.map((mail) => this.#handOver(mail)))
      found += mails.length
      if (mails.length === 0 || signal.aborted) return found > 0
    }
  }

  async #handOver(mail: ConfirmationMail): Promise<void> {
    const { _id, event_id, until } = mail
    const { outcome } = await observed(mail, async () => ({ outcome: await this.#send(mail) }))
    await reported(() => this.#partners.end({ body: { _id, event_id, until, outcome } }))
  }

  async #send(mail: ConfirmationMail): Promise<'sent' | 'rejected' | 'later'> {
    const sent = this.#options.mailer
      .send({
        ...contentOf(mail),
        message_id: `${mail._id}.confirmation`,
        headers: unsubscribeHeaders(mail.unsubscribe_link),
        attachments: mail.attachments.map(({ content, ...each }) => ({
          ...each,
          content: Buffer.from(content, 'base64'),
        })),
      })
      .then(
        () => 'sent' as const,
        (error): 'rejected' | 'later' => (attemptOf(error) === 'rejected' ? 'rejected' : 'later'),
      )
    return withTimeout(sent, 'later')
  }
}
