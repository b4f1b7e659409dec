import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TSchema } from 'typebox'
import type { Bus } from './bus.ts'
import type { Log } from './log.ts'
import { prepareStream, subjectIn } from './streams.ts'
import { type Writer, writerOf } from './writing.ts'

/** What services tell of. */
export const eventTypes = [
  'check_in.created',
  'guest.created',
  'guest.updated',
  'guest.deleted',
  'lead.created',
  'badge.completed',
] as const
/** One of `eventTypes`. */
export type EventType = (typeof eventTypes)[number]

/**
 * Things of one event to which the same happened. An item is the object as the API shows it, with its `_id`; a guest with
 * `guest_metadata`, on `badge.completed` with `badge_url` and `qrcode_url` as well. Of check-ins only the `_id` is told, as an intent:
 * whoever hears of it looks up what is stored (docs/adr/0014).
 */
export interface DomainEvent {
  type: EventType
  event_id: string
  items: readonly { _id: string }[]
  /** The schema of an item, where items hold more than it declares. */
  schema?: TSchema
}

/** A domain event as it lies in the stream. */
export interface DomainMessage extends Omit<DomainEvent, 'schema'> {
  /** The same however often it is published. */
  id: string
  /** ISO 8601. */
  at: string
}

/** Reads a message of the stream; undefined when it is none. */
export function readDomainMessage(data: Uint8Array): DomainMessage | undefined {
  try {
    const message = JSON.parse(Buffer.from(data).toString()) as Partial<DomainMessage> | null
    const { id, type, event_id, at, items } = message ?? {}
    const isRead =
      eventTypes.includes(type as EventType) && [id, event_id, at].every((each) => typeof each === 'string')
    const areItems = Array.isArray(items) && items.every((item) => typeof item?._id === 'string')
    return isRead && areItems && !Number.isNaN(Date.parse(at as string)) ? (message as DomainMessage) : undefined
  } catch {
    return undefined
  }
}

/** The announcement of what somebody wants to hear of: a JSON list of types more, or an empty one when there may be less. */
export const WANTED = 'wanted'

/** How long a request waits for the stream; what takes longer is stored behind its back. */
const PATIENCE_MS = 500
const ATTEMPT_MS = 2_000
const RETRY_MS = 100
const LONGEST_RETRY_MS = 5_000
/** Bytes of a message, well below NATS' max_payload. */
const MESSAGE_BYTES = 512 * 1024
/** Bytes that are kept in memory while JetStream is away. */
const MOST_KEPT = 64 * 1024 * 1024
const ASK_AGAIN_MS = 60_000
const ASK_SOON_MS = 5_000

/**
 * Tells what happened, through a JetStream stream, to whoever wants to hear of it (services/hooks). What nobody in the system wants
 * is not told; as long as that is not known, everything is.
 */
export class DomainEvents {
  readonly #bus: Bus
  readonly #log: Log
  readonly #sending = new Set<Promise<void>>()
  readonly #ended = new AbortController()
  /** Undefined while it is not known. */
  #wanted: Set<string> | undefined
  /** Announcements so far: an answer that was made before one of them may be older. */
  #heard = 0
  #asking: NodeJS.Timeout | undefined
  #preparing: Promise<void> | undefined
  #kept = 0
  #away = false

  constructor(bus: Bus, log: Log) {
    this.#bus = bus
    this.#log = log
    bus.listen(WANTED, (text) => this.#hear(JSON.parse(text) as string[]))
    bus.onReconnect(() => {
      this.#wanted = undefined
      this.#hear([])
    })
    void this.#ask()
  }

  /** Whether somebody may want to hear of this, for who can spare more than the telling. */
  wants(type: EventType): boolean {
    return this.#wanted?.has(type) ?? true
  }

  /**
   * Tells of an event. Resolves when the stream has it on disk, or after half a second: then it is kept in memory and tried again. Never
   * rejects. The stream may keep it twice; the `id` in it is the same.
   */
  async publish(event: DomainEvent): Promise<void> {
    if (event.items.length === 0 || !this.wants(event.type)) return
    const sent = messagesOf(event, randomUUID(), new Date()).map(({ payload }) => {
      const sending = this.#send(subjectIn(this.#bus, 'domain', event.event_id), payload)
      this.#sending.add(sending)
      return sending.finally(() => this.#sending.delete(sending))
    })
    await within(PATIENCE_MS, Promise.all(sent))
  }

  /**
   * Tells of an event that is noted on disk (proto/outbox.ts), and keeps nothing. Whether the stream has it on disk, or nobody wants it. Under
   * the same `id` the same items are told once.
   */
  async offer(event: DomainEvent, id: string, at: Date): Promise<boolean> {
    if (event.items.length === 0 || !this.wants(event.type)) return true
    const subject = subjectIn(this.#bus, 'domain', event.event_id)
    const taken = await Promise.all(
      messagesOf(event, id, at).map(
        async ({ id, payload }) =>
          // An attempt that failed has made the stream where it was missing.
          (await this.#attempt(subject, payload, id)) || this.#attempt(subject, payload, id),
      ),
    )
    return taken.every((isTaken) => isTaken)
  }

  /** Waits for what is on its way, but not for ever; what is not stored then is lost. The last thing before the bus closes. */
  async stop(): Promise<void> {
    clearTimeout(this.#asking)
    await within(ATTEMPT_MS, Promise.all(this.#sending))
    this.#ended.abort()
    if (this.#sending.size > 0) this.#log.error({ messages: this.#sending.size }, 'domain events are lost')
  }

  async #send(subject: string, payload: Uint8Array): Promise<void> {
    if (this.#kept + payload.length > MOST_KEPT) {
      this.#log.error('a domain event is lost: too many wait for JetStream')
      return
    }
    this.#kept += payload.length
    try {
      // The first time at once: an attempt that failed has made the stream where it was missing.
      for (let delay = 0; !(await this.#attempt(subject, payload)); ) {
        await sleep(delay, undefined, { signal: this.#ended.signal })
        delay = Math.min(Math.max(delay * 2, RETRY_MS), LONGEST_RETRY_MS)
      }
    } catch {
      // The process ends.
    } finally {
      this.#kept -= payload.length
    }
  }

  /** Whether the stream took a message. */
  async #attempt(subject: string, payload: Uint8Array, msgID?: string): Promise<boolean> {
    try {
      await this.#bus.store(subject, payload, ATTEMPT_MS, msgID)
      if (this.#away) this.#log.info('JetStream is back')
      this.#away = false
      return true
    } catch (error) {
      if (!this.#away) this.#log.warn({ err: error }, 'JetStream does not take domain events; they are kept')
      this.#away = true
      await this.#prepare()
      return false
    }
  }

  /** Makes the stream where it is missing: it may be a new server. Once for all that wait. */
  #prepare(): Promise<void> {
    this.#preparing ??= prepareStream(this.#bus, 'domain')
      .catch(() => {})
      .finally(() => {
        this.#preparing = undefined
      })
    return this.#preparing
  }

  #hear(types: string[]): void {
    this.#heard++
    for (const type of types) this.#wanted?.add(type)
    if (types.length === 0) this.#askIn(0)
  }

  #askIn(ms: number): void {
    if (this.#ended.signal.aborted) return
    clearTimeout(this.#asking)
    this.#asking = setTimeout(() => void this.#ask(), ms)
    this.#asking.unref()
  }

  async #ask(): Promise<void> {
    const heard = this.#heard
    try {
      const reply = await this.#bus.call('hooks.wanted', { budget: ATTEMPT_MS })
      const { types } = JSON.parse(Buffer.from(reply.body).toString()) as { types: string[] }
      if (heard === this.#heard) this.#wanted = new Set(types)
      this.#askIn(heard === this.#heard ? ASK_AGAIN_MS : 0)
    } catch {
      this.#askIn(ASK_SOON_MS)
    }
  }
}

/** An event as messages with ids of their own, which are the same for the same items. */
function messagesOf(
  { type, event_id, items, schema }: DomainEvent,
  id: string,
  at: Date,
): { id: string; payload: Uint8Array }[] {
  return pieces(items, schema ? writerOf(schema) : JSON.stringify).map((piece, index) => {
    const own = `${id}.${items.length}.${index}`
    const head = JSON.stringify({ id: own, type, event_id, at: at.toISOString() })
    return { id: own, payload: Buffer.from(`${head.slice(0, -1)},"items":[${piece.join()}]}`) }
  })
}

/** Items as JSON, in pieces that fit a message each. */
function pieces(items: readonly object[], write: Writer): string[][] {
  const found: string[][] = [[]]
  let bytes = 0
  for (const item of items) {
    const text = write(item)
    const size = Buffer.byteLength(text)
    if (bytes > 0 && bytes + size > MESSAGE_BYTES) {
      found.push([])
      bytes = 0
    }
    found.at(-1)?.push(text)
    bytes += size
  }
  return found
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const late = Promise.withResolvers<void>()
  const timer = setTimeout(late.resolve, ms)
  await Promise.race([work, late.promise])
  clearTimeout(timer)
}
