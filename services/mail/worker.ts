import { setTimeout as sleep } from 'node:timers/promises'
import { ACK_WAIT_MS, observeTurns, offerTurn, openTurns, TURN, type Turn } from '@gatehouse/partners/turns'
import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import type { Body } from '@gatehouse/proto/declaring/resource.ts'
import { messageReader } from '@gatehouse/proto/formats/message-reader.ts'
import type { Log } from '@gatehouse/proto/process/log.ts'
import type { Consumer, JsMsg } from '@nats-io/jetstream'
import { handOvers } from './permissions.ts'
import type { Rates } from './rates.ts'
import { reported } from './reporting.ts'
import { Rests } from './rests.ts'
import { handOver, type Sending } from './sending.ts'

/** Turns that a process works on at once. A process that dies leaves the fate of as many times the e-mails of a turn unknown. */
const TURNS = 4
/** How long a fetch waits for a turn. */
const EXPIRES_MS = 5_000
const RETRY_MS = 1_000
const ALIVE_MS = ACK_WAIT_MS / 3

/** Reads a turn of the queue. */
const readTurn = messageReader<Turn>(handOvers.actions.renew.body)

type HandOverProgress = Body<(typeof handOvers)['actions']['progress']>

interface WorkerOptions {
  bus: Bus
  sending: Sending
  rates: Rates
  log: Log
}

/** Takes partners' turns from the queue and sends their e-mails. */
export class Worker {
  readonly #options: WorkerOptions
  readonly #partners
  readonly #ended = new AbortController()
  readonly #rests = new Rests()
  #running: Promise<unknown> = Promise.resolve()

  constructor(options: WorkerOptions) {
    this.#options = options
    this.#partners = clientOf(options.bus, handOvers)
  }

  /** Starts working. While JetStream is away it keeps trying. */
  start(): void {
    this.#running = Promise.all(Array.from({ length: TURNS }, () => this.#run()))
    observeTurns(this.#options.bus)
  }

  /** Takes no more turns and resolves when the current e-mails are handed over. */
  async stop(): Promise<void> {
    this.#ended.abort()
    await this.#running
  }

  async #run(): Promise<void> {
    const { bus, log } = this.#options
    const { signal } = this.#ended
    while (!signal.aborted) {
      try {
        const turns = await openTurns(bus)
        while (!signal.aborted) await this.#takeOne(turns)
      } catch (error) {
        if (!signal.aborted) log.warn({ err: error }, 'taking a turn failed; retrying')
      }
      await sleep(RETRY_MS, undefined, { signal }).catch(() => {})
    }
  }

  async #takeOne(turns: Consumer): Promise<void> {
    const { signal } = this.#ended
    const messages = await turns.fetch({ max_messages: 1, expires: EXPIRES_MS })
    const stop = () => messages.stop()
    signal.addEventListener('abort', stop)
    try {
      for await (const message of messages) await this.#work(message)
    } finally {
      signal.removeEventListener('abort', stop)
    }
  }

  /** Does a turn; a message that cannot be read is terminated. Once its e-mails have left, the partner may have another, at the end of the queue, while what came of them is stored. */
  async #work(message: JsMsg): Promise<void> {
    const turn = readTurn(message.data)
    if (!turn) {
      this.#options.log.error({ seq: message.seq }, 'a message is not a turn')
      message.term()
      return
    }
    const alive = setInterval(() => message.working(), ALIVE_MS)
    const start = performance.now()
    try {
      const { report, pauseMs } = await this.#send(turn)
      if (pauseMs > 0) {
        if (report) await this.#report(report)
        // The turn stays in the queue, so that the partner gets no other one; it is nobody's until then.
        return message.nak(pauseMs)
      }
      const isFull = report?.outcomes.length === TURN
      const restMs = this.#rests.after(turn, isFull, performance.now() - start)
      const next = restMs > 0 ? message.nak(restMs) : message.ackAck().then(() => this.#next(turn, isFull))
      await Promise.all([next, report && this.#report(report)])
    } catch (error) {
      this.#options.log.warn({ err: error, partner_id: turn.partner_id }, 'a turn failed; it will be retried')
      message.nak(RETRY_MS)
    } finally {
      clearInterval(alive)
    }
  }

  /** Puts the partner's next turn at the end of the queue. After less than a full turn there may be nothing left to send. */
  async #next(turn: Turn, wasFull: boolean): Promise<void> {
    // The partner has a turn already if it invited just now.
    if (wasFull) await offerTurn(this.#options.bus, turn).catch(() => {})
    else await this.#partners.renew({ body: turn })
  }

  /**
   * Hands a few of a partner's e-mails over, as far as the rates allow. The start of each is recorded first. Returns what came of them, unless there
   * were none, and how long the partner has to wait for its next turn.
   */
  async #send(turn: Turn): Promise<{ report?: HandOverProgress; pauseMs: number }> {
    const { awayMs } = this.#options.rates
    if (awayMs > 0) return { pauseMs: awayMs }
    const { claim, mails } = await this.#partners.claim({ body: turn })
    if (claim === undefined) return { pauseMs: 0 }
    const end = { ...turn, claim, begin: [] }
    if (this.#ended.signal.aborted) return { report: { ...end, outcomes: [] }, pauseMs: 0 }
    const { going, held, pauseMs } = await this.#options.rates.admit(turn.partner_id, mails)
    const begin = going.map(({ _id }) => _id)
    const { ids } = begin.length > 0 ? await this.#report({ ...end, outcomes: [], begin }) : { ids: [] }
    const may = new Set(ids)
    const begun = going.filter(({ _id }) => may.has(_id))
    const outcomes = await Promise.all(begun.map((mail) => handOver(this.#options.sending, mail)))
    return { report: { ...end, outcomes, hold: held }, pauseMs }
  }

  #report(body: HandOverProgress): Promise<{ ids: string[] }> {
    return reported(() => this.#partners.progress({ body }))
  }
}
