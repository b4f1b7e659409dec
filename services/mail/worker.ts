import { setTimeout as sleep } from 'node:timers/promises'
import { ACK_WAIT_MS, BATCH_SIZE, LANES, type SendJob, SendQueue } from '@gatehouse/partners/send-queue'
import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import type { Body } from '@gatehouse/proto/declaring/resource.ts'
import { messageReader } from '@gatehouse/proto/formats/message-reader.ts'
import type { Log } from '@gatehouse/proto/process/log.ts'
import type { Consumer, JsMsg } from '@nats-io/jetstream'
import { FairPauses } from './fair-pauses.ts'
import { sendJobs } from './permissions.ts'
import type { Rates } from './rates.ts'
import { reported } from './reporting.ts'
import { type Sending, sendMail } from './sending.ts'

/** Jobs that a process works on at once. A process that dies leaves the fate of as many batches of e-mails unknown. */
const JOBS = 4
/** How long a fetch waits for a job. */
const EXPIRES_MS = 5_000
const RETRY_MS = 1_000
const ALIVE_MS = ACK_WAIT_MS / 3

/** Reads a job of the queue. */
const readJob = messageReader<SendJob>(sendJobs.actions.renew.body)

type Progress = Body<(typeof sendJobs)['actions']['progress']>

interface WorkerOptions {
  bus: Bus
  sending: Sending
  rates: Rates
  log: Log
}

/** Takes partners' send jobs from the queue and sends their e-mails. */
export class SendWorker {
  readonly #options: WorkerOptions
  readonly #partners
  readonly #ended = new AbortController()
  readonly #queue: SendQueue
  readonly #fairPauses = new FairPauses()
  #running: Promise<unknown> = Promise.resolve()

  constructor(options: WorkerOptions) {
    this.#options = options
    this.#partners = clientOf(options.bus, sendJobs)
    this.#queue = new SendQueue(options.bus)
  }

  /** Starts working. While JetStream is away it keeps trying. */
  start(): void {
    this.#running = Promise.all(Array.from({ length: JOBS }, () => this.#run()))
    this.#queue.observe()
  }

  /** Takes no more jobs and resolves when the current e-mails are sent. */
  async stop(): Promise<void> {
    this.#ended.abort()
    await this.#running
  }

  async #run(): Promise<void> {
    const { log } = this.#options
    const { signal } = this.#ended
    while (!signal.aborted) {
      try {
        const jobs = await this.#queue.consumer()
        while (!signal.aborted) await this.#takeOne(jobs)
      } catch (error) {
        if (!signal.aborted) log.warn({ err: error }, 'taking a send job failed; retrying')
      }
      await sleep(RETRY_MS, undefined, { signal }).catch(() => {})
    }
  }

  async #takeOne(jobs: Consumer): Promise<void> {
    const { signal } = this.#ended
    const messages = await jobs.fetch({ max_messages: 1, expires: EXPIRES_MS })
    const stop = () => messages.stop()
    signal.addEventListener('abort', stop)
    try {
      for await (const message of messages) await this.#work(message)
    } finally {
      signal.removeEventListener('abort', stop)
    }
  }

  /** Does a job; a message that cannot be read is terminated. Once its e-mails have left, the partner may have another, at the end of the queue, while what came of them is stored. */
  async #work(message: JsMsg): Promise<void> {
    const job = readJob(message.data)
    if (!job) {
      this.#options.log.error({ seq: message.seq }, 'a message is not a send job')
      message.term()
      return
    }
    const alive = setInterval(() => message.working(), ALIVE_MS)
    const start = performance.now()
    try {
      const { report, pauseMs } = await this.#send(job)
      if (pauseMs > 0) {
        if (report) await this.#report(report)
        // The job stays in the queue, so that the partner gets no other one; it is nobody's until then.
        return message.nak(pauseMs)
      }
      const isFull = report?.outcomes.length === BATCH_SIZE
      const fairPauseMs = this.#fairPauses.after(job, isFull, performance.now() - start)
      await Promise.all([this.#end(message, job, isFull, fairPauseMs), report && this.#report(report)])
    } catch (error) {
      this.#options.log.warn({ err: error, partner_id: job.partner_id }, 'a send job failed; it will be retried')
      message.nak(RETRY_MS)
    } finally {
      clearInterval(alive)
    }
  }

  /**
   * Ends a job, and adds its lane's next one to the end of the queue. A first lane that had a full batch starts the others, which end while
   * somebody else has few e-mails.
   */
  async #end(message: JsMsg, job: SendJob, wasFull: boolean, fairPauseMs: number): Promise<void> {
    const { lane = 0 } = job
    if (fairPauseMs > 0 && lane === 0) return message.nak(fairPauseMs)
    await message.ackAck()
    if (fairPauseMs > 0) return
    // After less than a full batch there may be nothing left to send.
    if (!wasFull) await this.#partners.renew({ body: job })
    else {
      await this.#queue.add(job)
      if (lane === 0) for (let other = 1; other < LANES; other++) await this.#queue.add({ ...job, lane: other })
    }
  }

  /**
   * Sends a batch of a partner's e-mails, as far as the rates allow. The start of each is recorded first. Returns what came of them, unless there
   * were none, and how long the partner has to wait for its next job.
   */
  async #send(job: SendJob): Promise<{ report?: Progress; pauseMs: number }> {
    const { rates, sending } = this.#options
    if (rates.awayMs > 0) return { pauseMs: rates.awayMs }
    const { claim, mails } = await this.#partners.claim({ body: job })
    if (claim === undefined) return { pauseMs: 0 }
    const end = { ...job, claim, begin: [] }
    if (this.#ended.signal.aborted) return { report: { ...end, outcomes: [] }, pauseMs: 0 }
    const { going, held, pauseMs } = await rates.admit(job.partner_id, mails)
    const begin = going.map(({ _id }) => _id)
    const { ids } = begin.length > 0 ? await this.#report({ ...end, outcomes: [], begin }) : { ids: [] }
    const may = new Set(ids)
    const begun = going.filter(({ _id }) => may.has(_id))
    const outcomes = await Promise.all(begun.map((mail) => sendMail(sending, mail)))
    return { report: { ...end, outcomes, hold: held }, pauseMs }
  }

  #report(body: Progress): Promise<{ ids: string[] }> {
    return reported(() => this.#partners.progress({ body }))
  }
}
