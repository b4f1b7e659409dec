import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { Fault, invalid, unavailable } from '@gatehouse/proto/declaring/faults.ts'
import { flag, maybe, record, text } from '@gatehouse/proto/declaring/fields.ts'
import { type Action, routesOf } from '@gatehouse/proto/declaring/resource.ts'
import { queryReaderOf } from '@gatehouse/proto/formats/json-reader.ts'
import type { Log } from '@gatehouse/proto/process/log.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Admission } from './admission.ts'
import { TooMany } from './limits.ts'
import { Channels } from './live-channels.ts'
import { Feed } from './live-feed.ts'
import { after, rangeOf, type StreamPosition } from './live-stream.ts'
import { tokenOf } from './request.ts'

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
        description: 'Continue after this id, for clients which can not send the header Last-Event-ID',
      }),
    ),
  }),
} as const satisfies Action

interface LiveOptions {
  bus: Bus
  log: Log
  admission: Admission
  /** Feeds which one token may have at once in this gateway. */
  perToken: number
}

/** Tokens are checked this long after a revocation, when the gateway has forgotten those which it knew. */
const RECHECK_DELAY_MS = 100

const readQuery = queryReaderOf(liveAction.query)

/** Serves the live feeds of events. */
export function liveRoutes(app: FastifyInstance, { bus, log, admission, perToken }: LiveOptions): void {
  const channels = new Channels(bus, log)
  const feeds = new Set<Feed>()

  /** Ends a feed whose token is no longer valid, or whose staff member may no longer see the event. */
  async function recheck(feed: Feed): Promise<void> {
    try {
      const caller = await admission.stillAt(feed.token)
      if (!caller) return feed.end()
      await admission.authorize(caller, liveAction, feed.eventId)
    } catch (error) {
      // Otherwise the next heartbeat checks again.
      if (error instanceof Fault && error.code === 'forbidden') feed.end()
    }
  }

  bus.listen('tokens', () => {
    setTimeout(() => {
      for (const feed of feeds) void recheck(feed)
    }, RECHECK_DELAY_MS).unref()
  })
  // Open answers would delay the shutdown of the gateway.
  app.addHook('preClose', async () => {
    for (const feed of feeds) feed.end()
    channels.end()
  })

  async function serve(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { event_id = '' } = request.params as { event_id?: string }
    const caller = await admission.authenticate(request, reply, liveAction)
    await admission.authorize(caller, liveAction, event_id)
    const { statistics, position } = optionsOf(request)
    const own = [...feeds].filter(({ tokenId }) => tokenId === caller.token_id)
    if (own.length >= perToken) {
      const policy = { name: 'live-feeds', max: perToken, unit: 'concurrent-requests' } as const
      throw new TooMany({ policy, left: 0, seconds: 1 }, `A token may have ${perToken} live feeds at once`)
    }
    const feed = new Feed(
      reply.raw,
      { token: tokenOf(request) ?? '', tokenId: caller.token_id, eventId: event_id },
      statistics,
    )
    feeds.add(feed)
    reply.raw.once('close', () => feeds.delete(feed))
    try {
      const missed = position && { position, range: await rangeOf(bus) }
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
      throw error instanceof Fault ? error : unavailable()
    }
  }

  for (const url of routesOf(liveAction)?.paths ?? []) {
    app.route({ method: 'GET', url, exposeHeadRoute: false, handler: serve })
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
