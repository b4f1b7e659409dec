import { Fault } from '@gatehouse/proto/declaring/faults.ts'
import type { Action, Resource } from '@gatehouse/proto/declaring/resource.ts'
import { instruments } from '@gatehouse/proto/telemetry/metrics.ts'
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify'
import { type Admitted, CALLER } from '../admission/admission.ts'
import { type Work, workOf, works } from './work.ts'

/** How often the gateway looks at its delays, in ms. */
const LOOK_EVERY_MS = 100
/** Requests of a kind at a service that are never refused: they wait, however late answers are. What one user sends at once is no overload. */
const ALWAYS: Record<Work, number> = { door: 256, single: 256, page: 256, bulk: 8 }
/** Seconds after which a refused client may come again: the longer the less urgent, and while these stay away the door recovers. */
const RETRY_AFTER: Record<Work, number> = { door: 1, single: 2, page: 2, bulk: 5 }
/** What a limit is multiplied by while there is too much delay, and while there is not. */
const SHRINK = 0.7
const GROW = 1.04
/** A limit beyond which none is needed: as many as a service takes at once. */
const UNLIMITED = 20_000

/** Lets requests of an action in, or refuses them. */
export interface OverloadGate {
  /** The hook that refuses a request before its body is read (503), if there is too much to do. */
  hook(request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void
  /**
   * Does the work of a request whose body has been read, unless there is too much to do by now (503). What is not yet in work takes nothing from
   * others: a client may send its body as slowly as it likes.
   */
  admit<T>(request: FastifyRequest, work: () => Promise<T>): Promise<T>
}

/** Makes the gate of an action of a service. */
export type GateOf = (resource: Pick<Resource, 'service'>, action: Action) => OverloadGate

/** Refuses nothing. */
export const openGate: OverloadGate = { hook: (_request, _reply, done) => done(), admit: (_request, work) => work() }

/** Requests of a kind in work at one service: how long they are delayed, and how many may be in work at once. */
class ConcurrencyLimit {
  readonly #always: number
  #inWork = 0
  /** Those whose answers are measured. */
  #measured = 0
  #limit = UNLIMITED
  /** The shortest time that an answer took since the last look. */
  #shortest = Number.POSITIVE_INFINITY
  /** What the look before found. */
  #before = 0
  /** The last answer, or when the first request of those in work came. */
  #since = 0

  constructor(work: Work) {
    this.#always = ALWAYS[work]
  }

  get isFull(): boolean {
    return this.#inWork >= this.#limit
  }

  enter(now: number, isMeasured: boolean): void {
    this.#inWork++
    if (isMeasured && this.#measured++ === 0) this.#since = now
  }

  leave(isMeasured: boolean): void {
    this.#inWork--
    if (isMeasured) this.#measured--
  }

  answered(now: number, took: number): void {
    this.#since = now
    if (took < this.#shortest) this.#shortest = took
  }

  /**
   * The delay that no request escapes: what the fastest answer since the last look took, or how long there has been none; and the look before
   * must have found it too. One slow request among fast ones is no overload, nor is a process that stood still for a moment.
   */
  look(now: number): number {
    const delay = Number.isFinite(this.#shortest) ? this.#shortest : this.#measured > 0 ? now - this.#since : 0
    this.#shortest = Number.POSITIVE_INFINITY
    const lasting = Math.min(delay, this.#before)
    this.#before = delay
    return lasting
  }

  /** Lets fewer requests in, or more. */
  adjust(isDelayed: boolean): void {
    if (isDelayed) this.#limit = Math.max(this.#always, Math.min(this.#limit, this.#inWork) * SHRINK)
    else this.#limit = Math.min(UNLIMITED, this.#limit * GROW + 1)
  }
}

const READS = new Set(['GET', 'HEAD'])

/** The lines of a service, by kind of work. */
type Lines = Record<Work, ConcurrencyLimit>

/**
 * Refuses requests early (503) when the system has more to do than it can: bulk first, then pages and single requests, the
 * door last (docs/adr/0010). It measures how late this process's timers are, and how long answers of each service take.
 */
export class Overload {
  readonly #deadlineMs: number
  readonly #services = new Map<string, Lines>()
  readonly #timer: NodeJS.Timeout
  #lookedAt = performance.now()
  /** How late the last look was. */
  #lateBefore = 0

  /** `deadlineMs` is that of a single request: delays are judged by their share of it. */
  constructor(deadlineMs: number) {
    this.#deadlineMs = deadlineMs
    this.#timer = setInterval(() => this.#look(), LOOK_EVERY_MS)
    this.#timer.unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /** The gate of an action. */
  readonly gateOf: GateOf = ({ service }, action) => {
    const lines = this.#linesOf(service)
    const enterable = (request: Admitted): ConcurrencyLimit => {
      const work = workOf(action, request[CALLER]?.scope)
      const line = lines[work]
      if (!line.isFull) return line
      instruments.overloadRefusals.add(1, { work })
      throw overloaded(work)
    }
    return {
      hook: (request, _reply, done) => {
        enterable(request)
        done()
      },
      admit: async (request, work) => {
        const line = enterable(request)
        // Other writes may rightly take long: a mail server is asked, a file is imported.
        const isMeasured = READS.has(request.method) || action.scope === 'door'
        const start = performance.now()
        line.enter(start, isMeasured)
        try {
          const answer = await work()
          if (isMeasured) note(line, start)
          return answer
        } catch (error) {
          if (isMeasured && !isUnavailable(error)) note(line, start)
          throw error
        } finally {
          line.leave(isMeasured)
        }
      },
    }
  }

  #linesOf(service: string): Lines {
    return this.#services.getOrInsertComputed(
      service,
      () => Object.fromEntries(works.map((work) => [work, new ConcurrencyLimit(work)])) as Lines,
    )
  }

  #look(): void {
    const now = performance.now()
    const lateNow = now - this.#lookedAt - LOOK_EVERY_MS
    const late = Math.min(lateNow, this.#lateBefore)
    this.#lateBefore = lateNow
    this.#lookedAt = now
    const delays = Array.from(this.#services.values(), (lines) => ({
      lines,
      own: Object.fromEntries(works.map((work) => [work, lines[work].look(now)])) as Record<Work, number>,
    }))
    const door = Math.max(late, ...delays.map(({ own }) => own.door))
    const deadline = this.#deadlineMs
    const [slight, grave, half, most] = [deadline / 100, deadline / 5, deadline / 2, (deadline * 3) / 4]
    for (const { lines, own } of delays) {
      lines.bulk.adjust(door > slight || own.bulk > grave)
      // What is merely late waits: these are refused when many would miss their deadline, and scans when most would.
      lines.page.adjust(Math.max(door, own.page) > half)
      lines.single.adjust(Math.max(door, own.single) > half)
      lines.door.adjust(Math.max(late, own.door) > most)
    }
  }
}

function note(line: ConcurrencyLimit, start: number): void {
  const now = performance.now()
  line.answered(now, now - start)
}

function isUnavailable(error: unknown): boolean {
  return !(error instanceof Fault) || error.code === 'unavailable'
}

function overloaded(work: Work): Fault {
  return new Fault('unavailable', 'Too many requests in progress; try again later', undefined, RETRY_AFTER[work])
}
