import type { IncomingMessage } from 'node:http'
import type { Askable, Bus } from '@gatehouse/proto/bus/bus.ts'
import { Counts } from '@gatehouse/proto/concurrency/counts.ts'
import { Fault, invalid, unavailable } from '@gatehouse/proto/declaring/faults.ts'
import { flag, maybe, record, text } from '@gatehouse/proto/declaring/fields.ts'
import { type Action, type Caller, required, routesOf } from '@gatehouse/proto/declaring/resource.ts'
import { queryReaderOf } from '@gatehouse/proto/formats/json-reader.ts'
import type { Log } from '@gatehouse/proto/process/log.ts'
import * as ssoTopics from '@gatehouse/sso/topics'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Admission, type Admitted, CALLER } from '../admission/admission.ts'
import { TooManyRequests } from '../admission/limits.ts'
import { tokenOf } from '../http/request.ts'
import type { GateOf } from '../overload/overload.ts'
import { live } from '../permissions.ts'
import { Channels } from './channels.ts'
import { LiveFeed } from './feed.ts'
import { after, ForeignStream, type LiveStream, OwnStream, type StreamPosition } from './stream.ts'

/** The live feed of an event, declared as other actions are, but answered by the gateway itself. */
export const liveAction = {
  route: 'GET events/:event_id/live',
  scope: 'read',
  summary: 'What happens in an event, as it happens: Server-Sent Events',
  query: record({
    statistics: flag({ default: false, description: 'Adds the statistics of the event, at most once a second' }),
    last_event_id: maybe(
      text({
        pattern: '^\\d{1,15}(\\.\\d{1,9})?$',
        description: 'Continue after this id, for clients that cannot send the header Last-Event-ID',
      }),
    ),
  }),
} as const satisfies Action

/** Live feeds at once in one gateway process. */
export interface FeedLimits {
  total: number
  perAccount: number
  perToken: number
}

interface LiveOptions {
  bus: Bus
  log: Log
  admission: Admission
  gateOf: GateOf
  limits: FeedLimits
}

/** Tokens are checked this long after a revocation, when the gateway has forgotten those that it knew. */
const RECHECK_DELAY_MS = 100

const readQuery = queryReaderOf(liveAction.query)

/** Serves the live feeds of events. */
export function liveRoutes(app: FastifyInstance, options: LiveOptions): void {
  const { bus, admission, gateOf } = options
  const feeds = new LiveFeeds(options)
  bus.listen(ssoTopics.tokens, () => {
    setTimeout(() => feeds.recheckAll(), RECHECK_DELAY_MS).unref()
  })
  // Open answers would delay the shutdown of the gateway.
  app.addHook('preClose', async () => feeds.endAll())
  const gate = gateOf(live, liveAction)
  for (const url of routesOf(liveAction)?.paths ?? []) {
    app.route({
      method: 'GET',
      url,
      exposeHeadRoute: false,
      onRequest: [admission.hookOf(liveAction), gate.hook],
      handler: (request, reply) => gate.admit(request, () => feeds.serve(request, reply)),
    })
  }
}

/** The live feeds of a gateway process. */
class LiveFeeds {
  readonly #own: LiveStream
  readonly #foreign = new WeakMap<Askable, LiveStream>()
  readonly #log: Log
  readonly #admission: Admission
  readonly #limits: FeedLimits
  readonly #channels: Channels
  readonly #feeds = new Set<LiveFeed>()
  /** Feeds by token and by account. */
  readonly #counts = new Counts()

  constructor({ bus, log, admission, limits }: LiveOptions) {
    this.#own = new OwnStream(bus)
    this.#log = log
    this.#admission = admission
    this.#limits = limits
    this.#channels = new Channels(bus, log)
  }

  async serve(request: Admitted, reply: FastifyReply): Promise<FastifyReply> {
    const { event_id = '' } = request.params as { event_id?: string }
    const caller = required(request[CALLER])
    const stream = this.#streamOf(caller)
    const { statistics, position } = optionsOf(request)
    const feed = new LiveFeed(reply.raw, { token: tokenOf(request) ?? '', eventId: event_id, stream }, statistics)
    this.#count(caller, feed, request.raw, reply)
    try {
      const missed = position && { position, range: await stream.range() }
      const channel = await this.#channels.of(stream, event_id)
      // The client left while the channel was being opened.
      if (!this.#feeds.has(feed)) throw unavailable()
      reply.hijack()
      feed.begin(reply.getHeaders(), channel)
      feed.keepAlive(() => void this.#recheck(feed))
      void feed.catchUp(missed).catch((error) => {
        this.#log.info({ err: error }, 'a live feed could not catch up')
        feed.end()
      })
      return reply
    } catch (error) {
      throw error instanceof Fault ? error : unavailable()
    }
  }

  recheckAll(): void {
    for (const feed of this.#feeds) void this.#recheck(feed)
  }

  endAll(): void {
    for (const feed of this.#feeds) feed.end()
    this.#channels.end()
  }

  /** What happens stays in the stream of an account's cell. */
  #streamOf(caller: Caller): LiveStream {
    const home = this.#admission.foreignHomeOf(caller)
    return home ? this.#foreign.getOrInsertComputed(home, () => new ForeignStream(home)) : this.#own
  }

  /** Ends a feed whose token is no longer valid, or whose staff member may no longer see the event. */
  async #recheck(feed: LiveFeed): Promise<void> {
    try {
      const caller = await this.#admission.stillAt(feed.token)
      // Whose account has moved, comes again and is told by its new cell.
      if (!caller || this.#streamOf(caller) !== feed.stream) return feed.end()
      await this.#admission.authorize(caller, liveAction, feed.eventId)
    } catch (error) {
      // Otherwise the next heartbeat checks again.
      if (error instanceof Fault && error.code === 'forbidden') feed.end()
    }
  }

  /** Counts a feed until its connection closes. Throws `too_many` (429) beyond a limit of its token or account, `unavailable` (503) beyond the total. */
  #count({ token_id, account_id }: Caller, feed: LiveFeed, { socket }: IncomingMessage, reply: FastifyReply): void {
    // Nobody would hear of its end.
    if (socket.destroyed) throw unavailable()
    const own = [
      { key: `token ${token_id}`, name: 'live-feeds', max: this.#limits.perToken, whose: 'A token' },
      { key: `account ${account_id}`, name: 'account-live-feeds', max: this.#limits.perAccount, whose: 'An account' },
    ]
    const exceeded = own.find(({ key, max }) => this.#counts.of(key) >= max)
    if (exceeded) {
      const { name, max, whose } = exceeded
      const policy = { name, max, unit: 'concurrent-requests' } as const
      throw new TooManyRequests({ policy, left: 0, seconds: 1 }, `${whose} may have ${max} live feeds at once`)
    }
    if (this.#feeds.size >= this.#limits.total) throw unavailable('Too many live feeds; try again later')
    this.#feeds.add(feed)
    for (const { key } of own) this.#counts.add(key, 1)
    // An answer that waits behind another one of its connection is never closed with it.
    const closing = [reply.raw, socket]
    const forget = (): void => {
      for (const each of closing) each.off('close', forget)
      this.#feeds.delete(feed)
      for (const { key } of own) this.#counts.add(key, -1)
      feed.end()
    }
    for (const each of closing) each.once('close', forget)
  }
}

/** The options of a request; `position` is that of its last event id, if it has one. Throws `invalid` (422). */
function optionsOf(request: FastifyRequest): { statistics: boolean; position: StreamPosition | undefined } {
  const header = request.headers['last-event-id']
  const given = { ...(request.query as object), ...(header && { last_event_id: header }) }
  const { value, errors } = readQuery(given)
  if (errors) throw invalid(errors)
  const { statistics, last_event_id } = value as { statistics: boolean; last_event_id?: string }
  return { statistics, position: last_event_id === undefined ? undefined : positionOf(last_event_id) }
}

function positionOf(id: string): StreamPosition {
  const [seq, item] = id.split('.').map(Number) as [number, number | undefined]
  return item === undefined ? after(seq) : { seq, item }
}
