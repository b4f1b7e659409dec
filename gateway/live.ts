import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { Fault, invalid } from '@gatehouse/proto/declaring/faults.ts'
import { flag, maybe, record, text } from '@gatehouse/proto/declaring/fields.ts'
import { type Action, type Caller, routesOf } from '@gatehouse/proto/declaring/resource.ts'
import { RESET } from '@gatehouse/proto/events/streams.ts'
import { queryReaderOf } from '@gatehouse/proto/formats/json-reader.ts'
import type { Log } from '@gatehouse/proto/process/log.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Authenticator, tokenOf } from './authenticator.ts'
import { TooMany } from './limits.ts'
import {
  type Channel,
  type ChannelListener,
  Channels,
  type LiveMessage,
  messagesBetween,
  rangeOf,
  type StreamPosition,
} from './live-channels.ts'

/** The live feed of an event, declared as other actions are; the gateway itself answers it. */
export const liveAction = {
  route: 'GET events/:event_id/live',
  scope: 'read',
  summary: 'What happens in an event, as it happens: Server-Sent Events',
  query: record({
    statistics: flag({ default: false, description: 'Adds the statistics of the event, at most once a second' }),
    last_event_id: maybe(
      text({
        pattern: '^\\d{1,15}(\\.\\d{1,9})?$',
        description: 'Go on behind this id, for who can not send the header Last-Event-ID',
      }),
    ),
  }),
} as const satisfies Action

/** What the live feed works with. */
export interface LiveOptions {
  bus: Bus
  log: Log
  authenticator: Authenticator
  /** Finds out who asks. Throws what is told to who may not. */
  authenticate(request: FastifyRequest, reply: FastifyReply): Promise<Caller>
  /** Feeds at once that a token may have in this gateway. */
  perToken: number
}

/** A comment goes out this often, so that nobody on the way takes a quiet feed for a dead one; whose feed it is is looked at again then. */
const HEARTBEAT_MS = 15_000
/** Gateways forget what they know of tokens when they hear of a revocation; a moment later they ask anew. */
const RECHECK_EVERY_MS = 100
/** Bytes that wait for a client before it is cut off. */
const MAX_WAITING = 4 * 1024 * 1024
/** Bytes of what happens while a client still reads earlier things; with more it is cut off, and goes on from where it was. */
const MAX_HELD = 4 * 1024 * 1024
/** How long a client may take to make room. */
const DRAIN_MS = 30_000
/** Milliseconds after which a client that was cut off comes again. */
const RETRY = 'retry: 1000\n\n'

const readQuery = queryReaderOf(liveAction.query)

/** Serves the live feeds of events. */
export function liveRoutes(app: FastifyInstance, options: LiveOptions): void {
  const { bus, log, authenticator, perToken } = options
  const channels = new Channels(bus, log)
  const feeds = new Set<Feed>()

  /** Ends the feeds of tokens that are nobody's any more. */
  async function recheck(feed: Feed): Promise<void> {
    if (authenticator.known(feed.token)) return
    try {
      if (!(await authenticator.identify(feed.token, 'live feeds'))) feed.end()
    } catch {
      // It can not be known now; it is looked at again with the next heartbeat.
    }
  }

  bus.listen('tokens', () => {
    setTimeout(() => {
      for (const feed of feeds) void recheck(feed)
    }, RECHECK_EVERY_MS).unref()
  })
  // Open answers would hold up the end of the gateway.
  app.addHook('preClose', async () => {
    for (const feed of feeds) feed.end()
    channels.end()
  })

  async function serve(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { event_id = '' } = request.params as { event_id?: string }
    const caller = await options.authenticate(request, reply)
    await authenticator.admit(caller, liveAction, event_id)
    const { statistics, after } = optionsOf(request)
    const token = tokenOf(request.query as Record<string, unknown>, request.headers.authorization) ?? ''
    const own = [...feeds].filter(({ tokenId }) => tokenId === caller.token_id)
    if (own.length >= perToken) {
      throw new TooMany(perToken, 1, `A token may have ${perToken} live feeds at once`)
    }
    const feed = new Feed(reply.raw, token, caller.token_id, statistics)
    feeds.add(feed)
    reply.raw.once('close', () => feeds.delete(feed))
    try {
      const missed = after === undefined ? undefined : { after, range: await rangeOf(bus) }
      const channel = await channels.of(event_id)
      reply.hijack()
      feed.begin(reply.getHeaders(), channel)
      feed.keepAlive(() => void recheck(feed))
      void feed.catchUp(bus, event_id, missed).catch((error) => {
        log.info({ err: error }, 'a live feed could not catch up')
        feed.end()
      })
      return reply
    } catch (error) {
      feeds.delete(feed)
      throw error instanceof Fault ? error : new Fault('unavailable')
    }
  }

  for (const url of routesOf(liveAction)?.paths ?? []) {
    app.route({ method: 'GET', url, exposeHeadRoute: false, handler: serve })
  }
}

/** What a request asks for. Throws `invalid` (422) for an id that is none. */
function optionsOf(request: FastifyRequest): { statistics: boolean; after: StreamPosition | undefined } {
  const header = request.headers['last-event-id']
  const given = { ...(request.query as object), ...(header && { last_event_id: header }) }
  const { value, errors } = readQuery(given)
  if (errors) throw invalid(errors)
  const { statistics, last_event_id } = value as { statistics: boolean; last_event_id?: string }
  return { statistics, after: last_event_id === undefined ? undefined : positionOf(last_event_id) }
}

function positionOf(id: string): StreamPosition {
  const [seq, item] = id.split('.').map(Number) as [number, number | undefined]
  return item === undefined ? behind(seq) : { seq, item }
}

/** The place behind a whole message. */
function behind(seq: number): StreamPosition {
  return { seq, item: Number.POSITIVE_INFINITY }
}

/** One client's feed. */
class Feed implements ChannelListener {
  readonly token: string
  readonly tokenId: string
  readonly receiveStatistics?: (text: string) => void
  readonly #response: ServerResponse
  #channel: Channel | undefined
  /** What happens while earlier things are still being read; undefined once they are. */
  #held: LiveMessage[] | undefined = []
  #heldBytes = 0
  /** Where the channel was when this feed joined: what is earlier is read from the stream. */
  #joined = 0
  /** The client has everything up to here, from the stream or from another gateway, which may be ahead of this one's channel. */
  #has = 0
  #heartbeat: NodeJS.Timeout | undefined
  /** As last told. */
  #statistics: string | undefined

  constructor(response: ServerResponse, token: string, tokenId: string, statistics: boolean) {
    this.#response = response
    this.token = token
    this.tokenId = tokenId
    if (statistics) this.receiveStatistics = (now) => this.#sendStatistics(now)
  }

  begin(headers: object, channel: Channel): void {
    this.#response.writeHead(200, {
      ...headers,
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    })
    this.#response.once('close', () => this.end())
    this.#channel = channel
    this.#joined = channel.position
    this.#write(RETRY)
    channel.join(this)
    // It left while the channel was being opened.
    if (this.#response.destroyed) this.end()
  }

  keepAlive(alsoDo: () => void): void {
    if (this.#response.destroyed) return
    this.#heartbeat = setInterval(() => {
      this.#write(':\n\n')
      alsoDo()
    }, HEARTBEAT_MS)
    this.#heartbeat.unref()
  }

  /** Tells what the client missed since its last id, or where it is where it brings none; then what happened meanwhile. */
  async catchUp(
    bus: Bus,
    eventId: string,
    missed: { after: StreamPosition; range: { first: number; last: number } } | undefined,
  ): Promise<void> {
    const after = missed?.after ?? behind(this.#joined)
    // Some of what is missed may not be kept any more, or the stream is another one.
    const isLost = missed !== undefined && (after.seq + 1 < missed.range.first || after.seq > missed.range.last)
    if (isLost) this.#write(`event: ${RESET}\ndata: {"type":"${RESET}"}\n\n`)
    const beginning = isLost ? behind(0) : after
    const end = Math.max(this.#joined, beginning.seq)
    for await (const { bytes } of messagesBetween(bus, eventId, beginning, end)) {
      if (this.#response.destroyed) return
      this.#write(bytes)
      if (this.#response.writableNeedDrain)
        await once(this.#response, 'drain', { signal: AbortSignal.timeout(DRAIN_MS) })
    }
    // An id without data: whoever is cut off before anything happens goes on from here.
    this.#write(`id: ${end}\n\n`)
    this.#has = end
    const held = this.#held ?? []
    this.#held = undefined
    for (const message of held) this.receive(message)
  }

  receive(message: LiveMessage): void {
    if (message.seq <= this.#has) return
    if (!this.#held) return this.#write(message.bytes)
    this.#held.push(message)
    this.#heldBytes += message.bytes.length
    if (this.#heldBytes > MAX_HELD) this.#cut()
  }

  end(): void {
    clearInterval(this.#heartbeat)
    this.#channel?.leave(this)
    if (this.#response.headersSent) this.#response.end()
  }

  /** Only where they are others than before. */
  #sendStatistics(now: string): void {
    if (now === this.#statistics) return
    this.#statistics = now
    this.#write(`event: statistics\ndata: ${now}\n\n`)
  }

  #write(chunk: string | Buffer): void {
    if (this.#response.writableEnded || this.#response.destroyed) return
    this.#response.write(chunk)
    if (this.#response.writableLength > MAX_WAITING) this.#cut()
  }

  /** Who does not read what it gets is not kept waiting for: it may come again and go on. */
  #cut(): void {
    this.#response.destroy()
  }
}
