import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { RESET } from '@gatehouse/proto/events/streams.ts'
import type { Channel, ChannelListener } from './channels.ts'
import { after, type LiveMessage, type LiveStream, type StreamPosition } from './stream.ts'

/** How often a comment is sent, so that no proxy takes a quiet feed for a dead one; the token is checked again then. */
const HEARTBEAT_MS = 15_000
/** Bytes that may wait for a client before it is cut off. */
const MAX_WAITING = 4 * 1024 * 1024
/** Bytes of new messages that may wait while a client still receives earlier ones, before it is cut off. */
const MAX_HELD = 4 * 1024 * 1024
/** How long a client may take to make room. */
const DRAIN_MS = 30_000
/** Tells clients to come again after this many milliseconds. */
const RETRY = 'retry: 1000\n\n'

interface FeedOptions {
  token: string
  eventId: string
  stream: LiveStream
}

/** One client's feed. */
export class LiveFeed implements ChannelListener {
  readonly token: string
  readonly eventId: string
  readonly stream: LiveStream
  readonly receiveStatistics?: (json: string) => void
  readonly #response: ServerResponse
  #channel: Channel | undefined
  /** New messages while earlier ones are still being read; undefined from then on. */
  #held: LiveMessage[] | undefined = []
  #heldBytes = 0
  /** The channel's position when this feed joined: earlier messages are read from the stream. */
  #joined = 0
  /** The sequence up to which the client has everything. It may be ahead of the channel, if another gateway was. */
  #delivered = 0
  #heartbeat: NodeJS.Timeout | undefined
  /** The last ones that were sent. */
  #statistics: string | undefined

  constructor(response: ServerResponse, { token, eventId, stream }: FeedOptions, statistics: boolean) {
    this.#response = response
    this.token = token
    this.eventId = eventId
    this.stream = stream
    if (statistics) this.receiveStatistics = (json) => this.#sendStatistics(json)
  }

  begin(headers: object, channel: Channel): void {
    this.#response.writeHead(200, {
      ...headers,
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    })
    this.#channel = channel
    this.#joined = channel.position
    this.#write(RETRY)
    channel.join(this)
  }

  /** Sends a heartbeat from time to time, and calls `onBeat` with each. */
  keepAlive(onBeat: () => void): void {
    this.#heartbeat = setInterval(() => {
      this.#write(':\n\n')
      onBeat()
    }, HEARTBEAT_MS)
    this.#heartbeat.unref()
  }

  /**
   * Sends the messages after the client's position, or only the current position to a client without one; then those that arrived meanwhile.
   * Rejects if the stream cannot be read or the client makes no room.
   */
  async catchUp(
    missed: { position: StreamPosition; range: { first: number; last: number } } | undefined,
  ): Promise<void> {
    const position = missed?.position ?? after(this.#joined)
    // The stream may no longer hold some of the messages, or it may be a new one.
    const isLost = missed !== undefined && (position.seq + 1 < missed.range.first || position.seq > missed.range.last)
    if (isLost) this.#write(`event: ${RESET}\ndata: {"type":"${RESET}"}\n\n`)
    const beginning = isLost ? after(0) : position
    const end = Math.max(this.#joined, beginning.seq)
    for await (const { bytes } of this.stream.between(this.eventId, beginning, end)) {
      if (this.#response.destroyed) return
      this.#write(bytes)
      if (this.#response.writableNeedDrain)
        await once(this.#response, 'drain', { signal: AbortSignal.timeout(DRAIN_MS) })
    }
    // An id without data: a client that is cut off before the next message goes on from here.
    this.#write(`id: ${end}\n\n`)
    this.#delivered = end
    const held = this.#held ?? []
    this.#held = undefined
    for (const message of held) this.receive(message)
  }

  receive(message: LiveMessage): void {
    if (message.seq <= this.#delivered) return
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

  #sendStatistics(json: string): void {
    if (json === this.#statistics) return
    this.#statistics = json
    this.#write(`event: statistics\ndata: ${json}\n\n`)
  }

  #write(chunk: string | Buffer): void {
    if (this.#response.writableEnded || this.#response.destroyed) return
    this.#response.write(chunk)
    if (this.#response.writableLength > MAX_WAITING) this.#cut()
  }

  /** Ends the connection of a client that does not read: it may come again and go on. */
  #cut(): void {
    this.#response.destroy()
  }
}
