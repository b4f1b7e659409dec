import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { MAX_NOTED, type NotedScans, SLOW_MS, stepOf, WINDOW_MINUTES } from '@gatehouse/checkin/resources'
import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { toFault } from '@gatehouse/proto/declaring/faults.ts'
import type { SchemaNode } from '@gatehouse/proto/declaring/fields.ts'
import type { Action, Resource } from '@gatehouse/proto/declaring/resource.ts'
import { isObject, parseJson, unwrap } from '@gatehouse/proto/formats/json-reader.ts'
import type { Log } from '@gatehouse/proto/process/log.ts'
import { currentSpan } from '@gatehouse/proto/telemetry/tracing.ts'
import type { FastifyReply } from 'fastify'
import { type Admitted, CALLER } from '../admission/admission.ts'
import { scanTimes } from '../permissions.ts'

/** How often checkin hears of new times. */
const SEND_EVERY_MS = 2_000
/** How long the end of the process waits until checkin has the rest. */
const STOP_WITHIN_MS = 2_000
/** Counts of this process that wait for checkin. Beyond them new ones are dropped. */
const MAX_WAITING = 50_000
const WINDOW_MS = WINDOW_MINUTES * 60_000
/** The moments of scans are told apart so far. */
const MOMENT_MS = 10_000
const ID = /^[0-9a-f]{24}$/

/** A count that waits, and since when by the clock of this process. */
type Waiting = Omit<NotedScans, 'ago_ms'> & { since: number }

/** Counts under the name by which checkin knows that it has them. */
interface Note {
  note_id: string
  counts: Waiting[]
}

/** A scan that is being answered. */
export interface TimedScan {
  /** Waits for the answer of checkin, measures how long it took, and says so in the answer to come. */
  answered<T>(reply: FastifyReply, asked: Promise<T>): Promise<T>
}

/**
 * Measures how long scans take in Gatehouse: here, where all of it can be seen, also that a process hangs and another one answers. Every two
 * seconds checkin gets the counts. What it does not take is offered again, as the same note, until it is too old to matter.
 */
export class ScanTimes {
  readonly #checkin
  readonly #log: Log
  readonly #timer: NodeJS.Timeout
  #gathered = new Map<string, Waiting>()
  #notes: Note[] = []
  #sending: Promise<void> | undefined

  constructor(bus: Bus, log: Log) {
    this.#checkin = clientOf(bus, scanTimes)
    this.#log = log
    this.#timer = setInterval(() => void this.#send(), SEND_EVERY_MS).unref()
  }

  /** Begins to measure a request whose body is there, and which was admitted in `admittedMs`. */
  begin(resource: Resource, action: Action, request: Admitted, body: Buffer, admittedMs: number): TimedScan {
    const begun = performance.now()
    const end = (reply: FastifyReply, is_answered: boolean): void => {
      const ms = Math.round(admittedMs + performance.now() - begun)
      reply.header('server-timing', `gatehouse;dur=${ms}`)
      const { event_id = '' } = request.params as { event_id?: string }
      const accesspoint_id = pointIn(body, resource, action)
      if (accesspoint_id !== undefined) this.#note(request, { event_id, accesspoint_id, is_answered }, ms)
    }
    return {
      answered: async (reply, asked) => {
        try {
          const answer = await asked
          end(reply, true)
          return answer
        } catch (error) {
          if (toFault(error).status === 503) end(reply, false)
          throw error
        }
      },
    }
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    const sent = (this.#sending ?? Promise.resolve()).then(() => this.#send())
    await Promise.race([sent, sleep(STOP_WITHIN_MS, undefined, { ref: false })])
  }

  #note(request: Admitted, scan: Pick<Waiting, 'event_id' | 'accesspoint_id' | 'is_answered'>, worst_ms: number): void {
    const { token_id, role } = request[CALLER] ?? {}
    // Staff are people.
    const holder = role || token_id === undefined ? {} : { token_id }
    const { event_id, accesspoint_id, is_answered } = scan
    currentSpan()?.setAttribute('gatehouse.accesspoint.id', accesspoint_id)
    if (worst_ms > SLOW_MS) this.#log.warn({ ...scan, ...holder, ms: worst_ms }, 'slow scan')
    const since = Math.floor(performance.now() / MOMENT_MS) * MOMENT_MS
    const step = stepOf(worst_ms)
    const key = [event_id, accesspoint_id, holder.token_id, is_answered, step, since].join()
    const known = this.#gathered.get(key)
    if (known) {
      known.count++
      known.worst_ms = Math.max(known.worst_ms, worst_ms)
    } else if (this.#gathered.size < MAX_WAITING)
      this.#gathered.set(key, { ...scan, ...holder, step, count: 1, worst_ms, since })
  }

  /** Sends what was gathered, unless that is going on. */
  #send(): Promise<void> {
    this.#sending ??= this.#sendAll()
      // It is offered again with what comes next.
      .catch(() => {})
      .finally(() => {
        this.#sending = undefined
      })
    return this.#sending
  }

  async #sendAll(): Promise<void> {
    // Of what waits already nothing else may go under its names.
    if (this.#notes.length === 0) this.#seal()
    for (let [note] = this.#notes; note; [note] = this.#notes) {
      const { note_id } = note
      const now = performance.now()
      const counts = note.counts
        .map(({ since, ...count }) => ({ ...count, ago_ms: Math.round(now - since) }))
        .filter(({ ago_ms }) => ago_ms <= WINDOW_MS)
      if (counts.length > 0) await this.#checkin.note({ body: { note_id, counts } })
      this.#notes.shift()
    }
  }

  #seal(): void {
    const gathered = [...this.#gathered.values()]
    this.#gathered = new Map()
    for (let from = 0; from < gathered.length; from += MAX_NOTED)
      this.#notes.push({ note_id: randomUUID(), counts: gathered.slice(from, from + MAX_NOTED) })
  }
}

/** The check-in point that the body of a request names, bare or wrapped. */
function pointIn(body: Buffer, { one, many }: Resource, action: Action): string | undefined {
  try {
    const given = unwrap(parseJson(body), [...(action.root ? [action.root] : []), one, many], action.body as SchemaNode)
    const { accesspoint_id } = isObject(given) ? given : {}
    return typeof accesspoint_id === 'string' && ID.test(accesspoint_id) ? accesspoint_id : undefined
  } catch {
    // Checkin refuses it.
    return undefined
  }
}
