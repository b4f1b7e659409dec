import { setTimeout as sleep } from 'node:timers/promises'
import { type Msg, type NatsConnection, PermissionViolationError, type Subscription } from '@nats-io/transport-node'
import { Fault, toFault, unavailable } from '../declaring/faults.ts'
import { askedSubjects, type Permissions } from '../declaring/permissions/permissions.ts'
import { announcementSubject, type Topic } from '../declaring/topic.ts'
import { messageReader } from '../formats/message-reader.ts'
import type { Log } from '../process/log.ts'
import { calling, serving } from '../telemetry/bus-calls.ts'
import { instruments } from '../telemetry/metrics.ts'
import {
  AGAIN,
  EMPTY,
  isAcknowledged,
  type Meta,
  type Outgoing,
  type Reply,
  readIncoming,
  readRequest,
  toNatsHeaders,
  writeContinue,
  writeFault,
  writeOffer,
  writeReply,
  writeRequest,
} from './messages.ts'
import { PendingTable } from './pending-table.ts'

/**
 * Requests, replies and announcements over NATS, by docs/protocol.md. Callers do not notice that messages are gathered (all of one turn of
 * the event loop leave in one write) and that large bodies travel in parts.
 */

/** Answers one request; an error that it throws becomes a fault. */
export type Responder = (meta: Meta, body: Uint8Array) => Promise<Reply>

export interface BusOptions {
  /** `nats://user:password@host:port`, several of one system separated by commas. */
  servers: string
  /** First token of every subject, so that several systems can share a NATS server. */
  namespace: string
  /** The process as NATS knows it: its user, if it has one for each, may subscribe to inboxes with this name. */
  name: string
  log: Log
  /** What the process may ask, announce and listen to. Without this the bus refuses nothing. */
  permissions?: Permissions
  /** How long a call may take, in milliseconds. */
  deadlineMs?: number
  /** How long to try for the first connection, in milliseconds. */
  connectTimeoutMs?: number
  /** How many servers of a cluster keep each JetStream stream that this process creates. */
  streamReplicas?: number
  /** Maximum of concurrent requests; this process answers further ones 503 at once. */
  maxInFlight?: number
  /** The namespaces of the other cells of an installation (docs/adr/0022), which this process asks and hears too. */
  cells?: readonly string[]
}

/** Who can be asked: the processes of a system. */
export type Askable = Pick<Bus, 'call' | 'deadlineMs' | 'requirePermission'>

/** A request that is sent again while it has no answer. */
interface Race {
  isOver: boolean
  /** How many processes have it. */
  open: number
  /** When it is sent to another one. */
  againAt: number
  again(): void
}

interface Pending {
  subject: string
  resolve(reply: Reply): void
  reject(fault: Fault): void
  /** Sends the parts after the first message. */
  rest: ((to: string) => void) | undefined
  expires: number
  parts: Uint8Array[]
  race: Race | undefined
  /** Whether it was offered to all processes rather than sent to one. */
  isOffer: boolean
}

/** Who answers a subject. */
interface Served {
  subject: string
  responder: Responder
}

interface Transfer {
  meta: Meta
  reply: string
  served: Served
  parts: Uint8Array[]
  expires: number
}

const SWEEP_MS = 50
/** The pause after a connection that broke while subscriptions were taken. */
const SUBSCRIBING_PAUSE_MS = 100
/** After this time without an answer a request with a `request_id` is sent to another process. */
const AGAIN_AFTER_MS = 1_000
/** How many requests are at another process at once: where all are slow, sending more again would make them slower. */
const MAX_AGAIN = 64
/** Parts of this many bytes of a message are sent together, and the next ones after a pause in ms: they occupy the receiver for as long. */
const MAX_GROUP_BYTES = 1_048_576
const PART_PAUSE_MS = 4
/** The default of NATS. */
const MAX_PAYLOAD = 1_048_576
/** Where replies are awaited. A message that names another place for its reply would have this process say there what its sender may not. */
const INBOX = '_INBOX.'

/** Tokens of subjects that are ids: of things, of messages and of consumers. */
const IDS = /(?<=\.)([0-9a-f]{24}|\d+|[0-9A-Z]{22})(?=\.|$)/g

/** What a bus is made with: each option but the permissions has a value. */
export type ConnectedOptions = BusOptions & Required<Omit<BusOptions, 'permissions'>>

/** A connection to the bus. Make one per process with `connectBus` (connecting.ts). */
export class Bus {
  readonly #connection: NatsConnection
  readonly #options: ConnectedOptions
  readonly #declared: Record<'asks' | 'announces' | 'listens', Set<string>> | undefined
  readonly #inbox: string
  readonly #pending = new PendingTable<Pending>()
  readonly #transfers = new Map<string, Transfer>()
  readonly #subscriptions: Subscription[] = []
  readonly #reconnected: (() => void)[] = []
  #sweeper: NodeJS.Timeout | undefined
  /** What NATS has refused, each logged once. */
  readonly #refusals = new Set<string>()
  #outgoing: Outgoing[] = []
  #inFlight = 0
  /** The requests in work that came since `answered` was called last. */
  #turn = { open: 0, ended: () => {} }
  /** When the last caller of a request stops waiting for its answer. */
  #lastDue = 0
  #connected = true
  #idle: (() => void) | undefined

  constructor(connection: NatsConnection, options: ConnectedOptions) {
    this.#connection = connection
    this.#options = options
    const { permissions } = options
    this.#declared = permissions && {
      asks: new Set(askedSubjects(permissions)),
      announces: new Set(permissions.announces?.map(({ name }) => name)),
      listens: new Set(permissions.listens?.map(({ name }) => name)),
    }
    this.#inbox = `${inboxPrefix(options)}.${crypto.randomUUID().replaceAll('-', '')}`
    this.#subscribe(`${this.#inbox}.*`, (message) => this.#receive(message))
    void this.#watch()
  }

  /** The connection itself, for JetStream (streams.ts). */
  get connection(): NatsConnection {
    return this.#connection
  }

  /** How long a single request may take, in ms. */
  get deadlineMs(): number {
    return this.#options.deadlineMs
  }

  /** First token of every subject. */
  get namespace(): string {
    return this.#options.namespace
  }

  /** The namespaces of the other cells. */
  get cells(): readonly string[] {
    return this.#options.cells
  }

  /** How many servers keep each stream. */
  get streamReplicas(): number {
    return this.#options.streamReplicas
  }

  /** Throws if this process does not declare that it asks `subject`, or announces or listens to a topic. */
  requirePermission(what: 'asks' | 'announces' | 'listens', subject: string): void {
    if (this.#declared && !this.#declared[what].has(subject))
      throw new Error(`The permissions of ${this.#options.name} do not declare that it ${what} ${subject}`)
  }

  /**
   * Sends a request to `subject` (`guests.guests.list`) and returns the reply. Throws the service's fault, or `unavailable` when no process
   * serves it, the deadline passes or the connection breaks. An idempotent call is tried a second time within its deadline; one with a
   * `request_id` is sent to another process each second until one answers.
   */
  async call(subject: string, meta: Meta, body: Uint8Array = EMPTY, idempotent = false): Promise<Reply> {
    return this.#callIn(this.#options.namespace, subject, meta, body, idempotent)
  }

  /** Another cell, whose processes can be asked as those of this one. */
  cell(namespace: string): Askable {
    return {
      deadlineMs: this.deadlineMs,
      requirePermission: (what, subject) => this.requirePermission(what, subject),
      call: async (subject, meta, body = EMPTY, idempotent = false) =>
        this.#callIn(namespace, subject, meta, body, idempotent),
    }
  }

  async #callIn(namespace: string, subject: string, meta: Meta, body: Uint8Array, idempotent: boolean): Promise<Reply> {
    this.requirePermission('asks', subject)
    return calling(subject, meta, (carried) => this.#call(`${namespace}.${subject}`, carried, body, idempotent))
  }

  async #call(subject: string, meta: Meta, body: Uint8Array, idempotent: boolean): Promise<Reply> {
    const budget = meta.budget ?? this.#options.deadlineMs
    if (meta.request_id) return this.#race(subject, meta, body, budget)
    if (!idempotent) return this.#attempt(subject, meta, body, budget)
    const start = performance.now()
    try {
      return await this.#attempt(subject, meta, body, budget / 2)
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== 'unavailable') throw error
      const left = budget - (performance.now() - start)
      if (left < SWEEP_MS) throw error
      instruments.retries.add(1, { kind: 'bus' })
      // A replica may take over, or the connection come back.
      await sleep(Math.min(SWEEP_MS * 2, left / 4))
      return this.#attempt(subject, meta, body, left)
    }
  }

  #attempt(subject: string, meta: Meta, body: Uint8Array, budget: number, race?: Race): Promise<Reply> {
    const request = writeRequest({ ...meta, budget }, body, this.#maxPayload())
    return this.#ask({ subject, payload: request.payload }, budget, { rest: request.rest, race })
  }

  /** Offers a request to all processes that serve `subject`: the first one to ask for its body gets it, which one that hangs does not. */
  #offer(subject: string, meta: Meta, body: Uint8Array, budget: number, race: Race): Promise<Reply> {
    instruments.retries.add(1, { kind: 'bus' })
    const { payload, rest } = writeOffer({ ...meta, budget }, body, this.#maxPayload())
    return this.#ask({ subject: subject + AGAIN, payload }, budget, { rest, race, isOffer: true })
  }

  /** Sends a request to one process, and to a further one each second until one answers. A process that can't answer leaves it to the others. */
  #race(subject: string, meta: Meta, body: Uint8Array, budget: number): Promise<Reply> {
    const expires = performance.now() + budget
    return new Promise((resolve, reject) => {
      const start = (attempt: Promise<Reply>): void => {
        race.open++
        attempt.then(
          (reply) => {
            race.isOver = true
            resolve(reply)
          },
          (error) => {
            race.open--
            const isLeftToOthers = race.open > 0 && error instanceof Fault && error.code === 'unavailable'
            if (isLeftToOthers) return
            race.isOver = true
            reject(error)
          },
        )
      }
      const race: Race = {
        isOver: false,
        open: 0,
        againAt: performance.now() + AGAIN_AFTER_MS,
        again: () => start(this.#offer(subject, meta, body, Math.max(1, expires - performance.now()), race)),
      }
      start(this.#attempt(subject, meta, body, budget, race))
    })
  }

  /** Sends a message and returns its reply. The rest of its parts goes to the subject that the receiver names. */
  #ask(
    message: Outgoing,
    budget: number,
    { rest = [], race, isOffer = false }: { rest?: Uint8Array[]; race?: Race | undefined; isOffer?: boolean } = {},
  ): Promise<Reply> {
    return new Promise((resolve, reject) => {
      if (!this.#connected) return reject(unavailable())
      const sendRest = (to: string): void => {
        void this.#sendAll(rest.map((part) => ({ subject: to, payload: part })))
      }
      const id = this.#pending.add({
        subject: message.subject,
        resolve,
        reject,
        rest: rest.length > 0 ? sendRest : undefined,
        expires: performance.now() + budget,
        parts: [],
        race,
        isOffer,
      })
      this.#keepSweeping()
      this.#send({ ...message, reply: `${this.#inbox}.${id}` })
    })
  }

  /**
   * Stores a message in the JetStream stream of `subject`, and resolves when it is on disk. Rejects with `unavailable` without an
   * acknowledgement within `budget` ms; the message may be stored all the same. A stream stores a `msgID` once (streams.ts).
   */
  async store(subject: string, payload: Uint8Array, budget: number, msgID?: string): Promise<void> {
    const headers = msgID === undefined ? {} : { headers: { 'Nats-Msg-Id': msgID } }
    const { body } = await this.#ask({ subject, payload, ...headers }, budget)
    if (!isAcknowledged(body)) throw unavailable()
  }

  /**
   * Serves `subject` together with the other members of `queue`: each request goes to one of them. Beyond `maxInFlight` requests get a 503,
   * except for a responder with `always`. One that recognises what was sent before is also offered what others have not answered (`again`).
   */
  serve(subject: string, queue: string, responder: Responder, { always = false, again = false } = {}): void {
    const served = { subject, responder }
    const receive = (message: Msg): void => {
      if (!message.reply?.startsWith(INBOX)) return
      if (always || this.#inFlight < this.#options.maxInFlight) void this.#serveOne(message, message.reply, served)
      else this.#send(writeFault(message.reply, unavailable()))
    }
    const { namespace } = this.#options
    this.#subscriptions.push(this.#subscribe(`${namespace}.${subject}`, receive, `${namespace}.${queue}`))
    if (!again) return
    // An offer that this process cannot take is for the others.
    const consider = (message: Msg): void => {
      if (this.#inFlight < this.#options.maxInFlight) receive(message)
    }
    this.#subscriptions.push(this.#subscribe(`${namespace}.${subject}${AGAIN}`, consider))
  }

  /** Broadcasts to the listeners of `topic` in all processes. Replies that this process sends afterwards arrive after it. */
  announce<T>(topic: Topic<T>, payload: NoInfer<T>): void {
    this.requirePermission('announces', topic.name)
    const text = topic.schema ? JSON.stringify(payload) : (payload as string)
    this.#send({ subject: `${this.#options.namespace}.${announcementSubject(topic)}`, payload: Buffer.from(text) })
  }

  /**
   * Waits for a write and announces it, even if it failed or changed nothing: a failed write may have been stored, and an earlier try may have
   * died between its write and its announcement. What is announced may follow from the write's result, which is undefined if it failed.
   */
  async announcing<T, R>(
    topic: Topic<T>,
    payload: NoInfer<T> | ((result: R | undefined) => NoInfer<T>),
    write: Promise<R>,
  ): Promise<R> {
    let result: R | undefined
    try {
      result = await write
      return result
    } finally {
      this.announce(topic, payload instanceof Function ? payload(result) : payload)
    }
  }

  /**
   * Subscribes to the announcements of `topic`, also of other cells that this process asks. Those made while the connection is broken are lost: see `onReconnect`. One that is not as the
   * topic declares is logged, and ignored.
   */
  listen<T>(topic: Topic<T>, listener: (payload: T) => void): void {
    this.requirePermission('listens', topic.name)
    const read = topic.schema && messageReader<T>(topic.schema)
    const receive = (message: Msg): void => {
      const payload = read ? read(message.data) : (message.string() as T)
      if (payload === undefined) throw new Fault('malformed')
      listener(payload)
    }
    for (const namespace of [this.#options.namespace, ...this.#options.cells])
      this.#subscriptions.push(this.#subscribe(`${namespace}.${announcementSubject(topic)}`, receive))
  }

  #subscribe(subject: string, receive: (message: Msg) => void, queue?: string): Subscription {
    return this.#connection.subscribe(subject, {
      ...(queue && { queue }),
      callback: (error, message) => {
        if (error instanceof PermissionViolationError) this.#noteRefusal(error)
        else if (!error) this.#guarded(receive, message)
      },
    })
  }

  /** An error that left the callback would end the client's reading of its connection: this process would hear nothing more. */
  #guarded(receive: (message: Msg) => void, message: Msg): void {
    try {
      receive(message)
    } catch (error) {
      const { name, message: text, stack } = error as Error
      // The error's text may quote anything.
      const found = { type: name, stack: stack?.replace(text, ''), subject: message.subject.replace(IDS, '*') }
      this.#options.log.error(found, 'a message cannot be read')
    }
  }

  /** Throws while the connection is broken. */
  check(): void {
    if (!this.#connected) throw unavailable()
  }

  /** Calls `listener` whenever a broken connection is back: caches may be stale by then. */
  onReconnect(listener: () => void): void {
    this.#reconnected.push(listener)
  }

  /** Has this process forget what it knows by announcements. */
  forget(): void {
    for (const listener of this.#reconnected) listener()
  }

  /** Resolves when the server has processed everything sent so far, subscriptions included. */
  async flush(): Promise<void> {
    this.#publishOutgoing()
    await this.#connection.flush()
  }

  /**
   * Resolves when the server has taken all subscriptions, also if the connection breaks meanwhile: it comes back with them. Throws one sentence if the
   * server refuses one.
   */
  async subscribed(): Promise<void> {
    for (let isTaken = false; !isTaken; )
      isTaken = await this.flush().then(
        () => true,
        async (error) => {
          if (this.#connection.isClosed()) throw error
          await sleep(SUBSCRIBING_PAUSE_MS)
          return false
        },
      )
    const [, refused] =
      [...this.#refusals].map((each) => each.split(' ')).find(([what]) => what === 'subscription') ?? []
    if (refused) throw new Error(`NATS_URL: its user may not subscribe to ${refused}`)
  }

  /** Resolves when the requests that are in work now are answered. */
  answered(): Promise<void> {
    const turn = this.#turn
    this.#turn = { open: 0, ended: () => {} }
    if (turn.open === 0) return Promise.resolve()
    return new Promise((resolve) => {
      turn.ended = resolve
    })
  }

  /** Takes no more requests, finishes those in progress until their deadlines pass, runs `last`, then closes. */
  async stop(last?: () => Promise<void>): Promise<void> {
    if (!this.#connection.isClosed()) {
      await Promise.allSettled(this.#subscriptions.map((subscription) => subscription.drain()))
      if (this.#inFlight > 0) await this.#untilIdle()
      await last?.()
      this.#publishOutgoing()
      await this.#connection.flush().catch(() => {})
      await this.#connection.close()
    }
    clearInterval(this.#sweeper)
    this.#failPending()
  }

  #untilIdle(): Promise<void> {
    return new Promise((resolve) => {
      const late = setTimeout(resolve, this.#lastDue - performance.now())
      this.#idle = () => {
        clearTimeout(late)
        resolve()
      }
    })
  }

  async #serveOne(message: Msg, reply: string, served: Served): Promise<unknown> {
    let request: ReturnType<typeof readRequest>
    try {
      request = readRequest(message.data)
    } catch (error) {
      this.#send(writeFault(reply, toFault(error)))
      return
    }
    const { meta, body } = request
    if (!meta.parts || meta.parts < 2) return this.#respond(meta, body, reply, served)
    // The rest of the parts must reach this process, so the caller gets its inbox.
    const id = crypto.randomUUID()
    this.#transfers.set(id, { meta, reply, served, parts: [body], expires: performance.now() + this.#budget(meta) })
    this.#keepSweeping()
    this.#send(writeContinue(reply, `${this.#inbox}.${id}`))
  }

  #budget(meta: Meta): number {
    return Math.min(Number(meta.budget) || this.#options.deadlineMs, 60_000)
  }

  #respond(meta: Meta, body: Uint8Array, to: string, { subject, responder }: Served): Promise<unknown> {
    return serving(subject, meta, () => this.#answer(meta, body, to, responder))
  }

  /** Answers a request, and returns the error that it answered. */
  async #answer(meta: Meta, body: Uint8Array, to: string, responder: Responder): Promise<unknown> {
    this.#inFlight++
    const turn = this.#turn
    turn.open++
    this.#lastDue = Math.max(this.#lastDue, performance.now() + this.#budget(meta))
    try {
      const reply = await responder(meta, body)
      await this.#sendAll(writeReply(to, reply, this.#maxPayload()))
      return undefined
    } catch (error) {
      if (!(error instanceof Fault))
        this.#options.log.error({ err: error, traceparent: meta.traceparent }, 'request failed')
      this.#send(writeFault(to, toFault(error)))
      return error
    } finally {
      this.#inFlight--
      if (--turn.open === 0) turn.ended()
      if (this.#inFlight === 0) this.#idle?.()
    }
  }

  /** Handles a message to the inbox: a reply or a part of one, a continue, or a part of a request's body. */
  #receive(message: Msg): void {
    const id = message.subject.slice(this.#inbox.length + 1)
    const pending = this.#pending.get(id)
    if (!pending) return this.#receivePart(id, message.data)
    const incoming = readIncoming(message.headers, message.data)
    if (incoming.kind === 'fault') return this.#refuse(id, pending, incoming.fault)
    if (incoming.kind === 'continue') {
      const { rest } = pending
      // Only the first process that asks gets the rest.
      pending.rest = undefined
      if (incoming.to.startsWith(INBOX)) rest?.(incoming.to)
      else this.#refuse(id, pending, unavailable())
      return
    }
    if (incoming.kind === 'reply') return this.#settle(id, pending, { ...incoming, body: message.data })
    pending.parts.push(message.data)
    if (incoming.index !== pending.parts.length) return this.#refuse(id, pending, unavailable())
    if (incoming.index === incoming.count) {
      this.#settle(id, pending, { ...incoming, body: Buffer.concat(pending.parts) })
    }
  }

  #receivePart(id: string, data: Uint8Array): void {
    const transfer = this.#transfers.get(id)
    if (!transfer) return
    transfer.parts.push(data)
    if (transfer.parts.length < (transfer.meta.parts ?? 0)) return
    this.#transfers.delete(id)
    void this.#respond(transfer.meta, Buffer.concat(transfer.parts), transfer.reply, transfer.served)
  }

  #settle(id: string, pending: Pending, reply: Reply): void {
    this.#pending.delete(id)
    pending.resolve(reply)
  }

  #refuse(id: string, pending: Pending, fault: Fault): void {
    this.#pending.delete(id)
    pending.reject(fault)
  }

  #maxPayload(): number {
    return this.#connection.info?.max_payload ?? MAX_PAYLOAD
  }

  /** Sends the parts of a large message with pauses, in which both ends can serve other requests. */
  async #sendAll(messages: Outgoing[]): Promise<void> {
    let bytes = 0
    for (const message of messages) {
      const { length } = message.payload
      if (bytes > 0 && bytes + length > MAX_GROUP_BYTES) {
        await sleep(PART_PAUSE_MS)
        bytes = 0
      }
      bytes += length
      this.#send(message)
    }
  }

  #send(message: Outgoing): void {
    if (this.#outgoing.push(message) === 1) setImmediate(() => this.#publishOutgoing())
  }

  /** Publishes in one turn of the event loop: the client then writes all messages to its socket together. */
  #publishOutgoing(): void {
    const outgoing = this.#outgoing
    this.#outgoing = []
    for (const { subject, payload, reply, headers } of outgoing) {
      try {
        this.#connection.publish(subject, payload, {
          ...(reply && { reply }),
          ...(headers && { headers: toNatsHeaders(headers) }),
        })
      } catch (error) {
        this.#options.log.error({ err: error, subject }, 'publish failed')
        const pending = reply && this.#pending.get(reply.slice(this.#inbox.length + 1))
        if (pending) this.#refuse(reply.slice(this.#inbox.length + 1), pending, unavailable())
      }
    }
  }

  /** Ends what has expired, from now on until nothing is awaited any more. */
  #keepSweeping(): void {
    this.#sweeper ??= setInterval(() => this.#sweep(), SWEEP_MS).unref()
  }

  #sweep(): void {
    const now = performance.now()
    let offers = 0
    const late = new Set<Race>()
    this.#pending.forEach((pending, id) => {
      const { race, isOffer } = pending
      if (race?.isOver) {
        this.#pending.delete(id)
        return
      }
      if (isOffer) offers++
      if (pending.expires < now) this.#refuse(id, pending, unavailable('The service did not answer in time, try again'))
      else if (race && race.againAt < now) late.add(race)
    })
    for (const [id, transfer] of this.#transfers) {
      if (transfer.expires < now) this.#transfers.delete(id)
    }
    for (const race of late) {
      if (offers++ >= MAX_AGAIN) break
      race.againAt = now + AGAIN_AFTER_MS
      race.again()
    }
    if (this.#pending.size + this.#transfers.size > 0) return
    clearInterval(this.#sweeper)
    this.#sweeper = undefined
  }

  /** Logs once what NATS refuses, and fails the calls that it concerns: their answer would never come. */
  #noteRefusal({ operation, subject }: PermissionViolationError): void {
    this.#pending.forEach((pending, id) => {
      if (operation === 'publish' && pending.subject === subject) this.#refuse(id, pending, unavailable())
    })
    const kind = operation === 'publish' && subject.startsWith(INBOX) ? INBOX : subject.replace(IDS, '*')
    const refusal = `${operation} ${kind}`
    if (this.#refusals.has(refusal)) return
    this.#refusals.add(refusal)
    this.#options.log.error({ operation, subject: kind }, 'NATS refuses what this process needs; update its users')
  }

  #failPending(): void {
    this.#pending.forEach((pending, id) => {
      this.#refuse(id, pending, unavailable())
    })
  }

  async #watch(): Promise<void> {
    for await (const status of this.#connection.status()) {
      const { type } = status
      if (type === 'error' && status.error instanceof PermissionViolationError) this.#noteRefusal(status.error)
      else if (type === 'disconnect') {
        this.#connected = false
        this.#options.log.warn('bus disconnected')
        this.#failPending()
      } else if (type === 'reconnect') {
        this.#connected = true
        this.#refusals.clear()
        this.#options.log.info('bus reconnected')
        this.forget()
      }
    }
  }
}

/** Inboxes of a process begin with this: its NATS user can subscribe to no other's. */
export function inboxPrefix({ namespace, name }: Pick<BusOptions, 'namespace' | 'name'>): string {
  return `${INBOX}${namespace}.${name}`
}
