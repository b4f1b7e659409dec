import type { TSchema } from 'typebox'
import type { Bus } from '../bus/bus.ts'
import { shared } from '../concurrency/shared.ts'
import { list, SUBJECT_WORD, text } from '../declaring/fields.ts'
import type { Permissions } from '../declaring/permissions/permissions.ts'
import { topic } from '../declaring/topic.ts'
import { type Writer, writerOf } from '../formats/json-writer.ts'
import type { Log } from '../process/log.ts'
import { prepareStream, subjectIn } from './streams.ts'

/** The types of domain events. */
export const eventTypes = [
  'check_in.created',
  'check_in.deleted',
  'guest.created',
  'guest.updated',
  'guest.deleted',
  'lead.created',
  'badge.completed',
  'partner_campaign.paused',
  'registration.pending',
] as const
export type EventType = (typeof eventTypes)[number]

/**
 * The same happened to these items of one event. An item is the object as the API shows it; a guest has `guest_metadata`, and on
 * `badge.completed` also `badge_url` and `qrcode_url`.
 */
export interface DomainEvent {
  type: EventType
  event_id: string
  items: readonly { _id: string }[]
  /** The schema of an item, if items hold more than it declares. */
  schema?: TSchema
  /** The `traceparent` of the request that each item is from, by `_id`; of traced ones only. */
  traces?: Traces | undefined
}

/** W3C `traceparent`s by the `_id` of an item. */
export type Traces = ReadonlyMap<string, string>

/** The head of a message of the stream. */
export interface DomainHead {
  /** The same whenever it is published again. */
  id: string
  type: EventType
  event_id: string
  /** ISO 8601. */
  at: string
  /** As in {@link DomainEvent}. */
  traces?: Record<string, string>
}

/** A domain event in the stream: a line of JSON for its head, and one for each item. */
export interface DomainMessage extends DomainHead {
  items: readonly { _id: string }[]
  /** The items as JSON, as they were published. */
  texts: readonly string[]
}

const LINE_END = 0x0a

/** Reads only the head of a message; undefined for an invalid one. */
export function readDomainHead(data: Uint8Array): DomainHead | undefined {
  const end = data.indexOf(LINE_END)
  try {
    const head = JSON.parse(Buffer.from(data.subarray(0, Math.max(0, end))).toString()) as Partial<DomainHead> | null
    const { id, type, event_id, at, traces = {} } = head ?? {}
    const texts = [id, event_id, at, ...Object.values(traces)]
    const isRead = eventTypes.includes(type as EventType) && texts.every((each) => typeof each === 'string')
    const isDated = !Number.isNaN(Date.parse(at as string))
    return isRead && isDated && SUBJECT_WORD.test(event_id as string) ? (head as DomainHead) : undefined
  } catch {
    return undefined
  }
}

/** Reads a message of the stream; undefined for an invalid one. */
export function readDomainMessage(data: Uint8Array): DomainMessage | undefined {
  const head = readDomainHead(data)
  if (!head) return undefined
  const texts = Buffer.from(data).toString().split('\n').slice(1)
  try {
    const items = texts.map((text) => JSON.parse(text) as { _id: string } | null)
    const areItems = items.every((item) => typeof item?._id === 'string')
    return areItems ? { ...head, items: items as { _id: string }[], texts } : undefined
  } catch {
    return undefined
  }
}

/** Further types that are wanted, or none when there may be fewer. Announced by services/hooks. */
export const wantedTypes = topic('wanted', list(text(), 'type'))
/** The request for the wanted types. */
const WANTED = 'hooks.wanted'

/** What a service that publishes domain events says and hears for it on the bus. */
export const PUBLISHED_EVENTS = {
  asks: [WANTED],
  listens: [wantedTypes],
  streams: [{ stream: 'domain', creates: true, publishes: 'domain.*' }],
} satisfies Permissions

const ATTEMPT_MS = 2_000
/** The maximum size of a message in bytes, well below NATS' max_payload. */
const MESSAGE_BYTES = 512 * 1024
const REFRESH_MS = 60_000
const RETRY_MS = 5_000

/**
 * Publishes domain events to a JetStream stream, from which services/hooks reads. Types without subscribers are not published; as long as the
 * subscribers are unknown, all types are.
 */
export class DomainEvents {
  readonly #bus: Bus
  readonly #log: Log
  #wantedTypes: Set<string> | undefined
  /** Counts announcements: an answer that was requested before one of them may be stale. */
  #announcements = 0
  #asking: NodeJS.Timeout | undefined
  /** Creates the stream if it is missing, on a new server for example. */
  readonly #prepare = shared(() => prepareStream(this.#bus, 'domain').catch(() => {}))
  #isAway = false
  #isEnded = false

  constructor(bus: Bus, log: Log) {
    this.#bus = bus
    this.#log = log
    bus.listen(wantedTypes, (types) => this.#receive(types))
    bus.onReconnect(() => {
      this.#wantedTypes = undefined
      this.#receive([])
    })
    void this.#ask()
  }

  /** Whether a type may have subscribers. */
  wants(type: EventType): boolean {
    return this.#wantedTypes?.has(type) ?? true
  }

  /**
   * Publishes an event that has an outbox entry (outbox.ts). Returns whether the stream has it on disk, true also for a type without subscribers;
   * never rejects. The same items under the same `id` are stored once.
   */
  async publish(event: DomainEvent, id: string, at: Date): Promise<boolean> {
    if (event.items.length === 0 || !this.wants(event.type)) return true
    const subject = subjectIn(this.#bus, 'domain', event.event_id)
    const results = await Promise.all(
      messagesOf(event, id, at).map(
        async ({ id, payload }) =>
          // A failed attempt creates the stream if it is missing.
          (await this.#attempt(subject, payload, id)) || this.#attempt(subject, payload, id),
      ),
    )
    return results.every((isTaken) => isTaken)
  }

  /** Ends the requests for the wanted types. */
  stop(): void {
    this.#isEnded = true
    clearTimeout(this.#asking)
  }

  /** Whether the stream took a message. */
  async #attempt(subject: string, payload: Uint8Array, msgID: string): Promise<boolean> {
    try {
      await this.#bus.store(subject, payload, ATTEMPT_MS, msgID)
      if (this.#isAway) this.#log.info('JetStream is back')
      this.#isAway = false
      return true
    } catch (error) {
      if (!this.#isAway)
        this.#log.warn({ err: error }, 'JetStream is not accepting domain events; they will be published later')
      this.#isAway = true
      await this.#prepare()
      return false
    }
  }

  #receive(types: string[]): void {
    this.#announcements++
    for (const type of types) this.#wantedTypes?.add(type)
    if (types.length === 0) this.#askAfter(0)
  }

  #askAfter(ms: number): void {
    if (this.#isEnded) return
    clearTimeout(this.#asking)
    this.#asking = setTimeout(() => void this.#ask(), ms)
    this.#asking.unref()
  }

  async #ask(): Promise<void> {
    const announcements = this.#announcements
    try {
      const reply = await this.#bus.call(WANTED, { budget: ATTEMPT_MS })
      const { types } = JSON.parse(Buffer.from(reply.body).toString()) as { types: string[] }
      if (announcements === this.#announcements) this.#wantedTypes = new Set(types)
      this.#askAfter(announcements === this.#announcements ? REFRESH_MS : 0)
    } catch {
      this.#askAfter(RETRY_MS)
    }
  }
}

/** The messages of an event. Their ids are the same for the same items. */
function messagesOf(
  { type, event_id, items, schema, traces }: DomainEvent,
  id: string,
  at: Date,
): { id: string; payload: Uint8Array }[] {
  let from = 0
  return chunksOf(items, schema ? writerOf(schema) : JSON.stringify).map((chunk, index) => {
    const own = traces && tracesOf(items.slice(from, from + chunk.length), traces)
    from += chunk.length
    const head: DomainHead = {
      id: `${id}.${items.length}.${index}`,
      type,
      event_id,
      at: at.toISOString(),
      ...(own && { traces: own }),
    }
    return { id: head.id, payload: Buffer.from([JSON.stringify(head), ...chunk].join('\n')) }
  })
}

function tracesOf(items: DomainEvent['items'], traces: Traces): Record<string, string> {
  return Object.fromEntries(items.flatMap(({ _id }) => (traces.has(_id) ? [[_id, traces.get(_id) as string]] : [])))
}

/** Items as JSON, in chunks that fit into messages. */
function chunksOf(items: readonly object[], write: Writer): string[][] {
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
