import { setTimeout as sleep } from 'node:timers/promises'
import { type HandOver, handOvers, type InvitationMail } from '@gatehouse/partners/hand-overs'
import { ACK_WAIT_MS, openTurns, type Turn } from '@gatehouse/partners/turns'
import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import type { Body } from '@gatehouse/proto/declaring/resource.ts'
import type { Log } from '@gatehouse/proto/process/log.ts'
import type { Consumer, JsMsg } from '@nats-io/jetstream'
import type { Rates } from './rates.ts'
import { handOver, type Sending } from './sending.ts'

/** E-mails which a turn hands over at once; a process which dies leaves as many whose fate is not known. */
const WAVE = 5
/** Turns which a process works on at once, each of another partner. */
const TURNS = 4
/** How long a fetch waits for a turn. */
const EXPIRES_MS = 5_000
const RETRY_MS = 1_000
/** Attempts to report. */
const REPORTS = 10
const ALIVE_MS = ACK_WAIT_MS / 3

type Progress = Body<(typeof handOvers)['actions']['progress']>

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
  #running: Promise<unknown> = Promise.resolve()

  constructor(options: WorkerOptions) {
    this.#options = options
    this.#partners = clientOf(options.bus, handOvers)
  }

  /** Starts working. While JetStream is away it keeps trying. */
  start(): void {
    this.#running = Promise.all(Array.from({ length: TURNS }, () => this.#run()))
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
        if (!signal.aborted) log.warn({ err: error }, 'no turn could be taken; it is tried again')
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

  /** Does a turn, and only then lets the partner have another, at the end of the queue. */
  async #work(message: JsMsg): Promise<void> {
    const turn = message.json<Turn>()
    const alive = setInterval(() => message.working(), ALIVE_MS)
    try {
      const pauseMs = await this.#send(turn)
      // The turn stays in the queue, so that the partner gets no other one; it is nobody's until then.
      if (pauseMs > 0) return message.nak(pauseMs)
      await message.ackAck()
      await this.#partners.renew({ body: turn })
    } catch (error) {
      this.#options.log.warn({ err: error, partner_id: turn.partner_id }, 'a turn failed; it is tried again')
      message.nak(RETRY_MS)
    } finally {
      clearInterval(alive)
    }
  }

  /**
   * Hands a few of a partner's e-mails over, wave by wave. That a wave begins is stored before, and what came of it after. Gives how long the
   * partner has to wait for its next turn.
   */
  async #send(turn: Turn): Promise<number> {
    const { awayMs } = this.#options.rates
    if (awayMs > 0) return awayMs
    const { claim, mails } = await this.#partners.claim({ body: turn })
    if (claim === undefined) return 0
    const waves: InvitationMail[][] = []
    for (let from = 0; from < mails.length; from += WAVE) waves.push(mails.slice(from, from + WAVE))
    let outcomes: HandOver[] = []
    const hold: { _id: string; ms: number }[] = []
    let pause = 0
    for (const wave of this.#ended.signal.aborted ? [] : waves) {
      const { going, held, pauseMs } = await this.#options.rates.admit(turn.partner_id, wave)
      hold.push(...held)
      pause = pauseMs
      const begin = going.map(({ _id }) => _id)
      if (begin.length > 0) {
        const { ids } = await this.#report({ ...turn, claim, outcomes, begin })
        const may = new Set(ids)
        const begun = going.filter(({ _id }) => may.has(_id))
        outcomes = await Promise.all(begun.map((mail) => handOver(this.#options.sending, mail)))
      }
      if (pause > 0 || this.#ended.signal.aborted) break
    }
    await this.#report({ ...turn, claim, outcomes, begin: [], hold })
    return pause
  }

  /** Reports progress, again while the partners service is away: a report which gets lost leaves e-mails whose fate nobody knows. */
  async #report(body: Progress): Promise<{ ids: string[] }> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#partners.progress({ body })
      } catch (error) {
        if (attempt === REPORTS) throw error
        await sleep(RETRY_MS)
      }
    }
  }
}
