import type { IncomingMessage } from 'node:http'

/** How long a client may go on sending a refused body, in ms: long enough to read why it was refused. */
const LINGER_MS = 3_000
/** Milliseconds between two reads, each of what a stream buffers, 64 KiB: 3 MB a second. */
const READ_EVERY_MS = 20
/** Connections which are read like this at once. Others are only closed. */
const MAX_DRAINED = 8
/** Connections which are closed at once, 50 a second: a client who opens hundreds opens them again as soon as they are closed. */
const MAX_CLOSED = 1

interface Unread {
  raw: IncomingMessage
  isDrained: boolean
  /** When the client's time is over, by `performance.now()`. */
  until: number
}

const unread = new Set<Unread>()
let drained = 0
let timer: NodeJS.Timeout | undefined

/** Keeps Node from reading the rest of a body at full speed only to discard it after the answer. Call it before the answer. */
export function drainSlowly(raw: IncomingMessage): void {
  // Node checks whether anything has begun to read. `read()` does not always count, since it may find enough in the buffer.
  if (!raw.complete) raw._read(0)
}

/**
 * Goes on reading slowly in a body which was refused, since many clients read no answer before they have sent everything, and closes the
 * connection if that takes too long. Call it after each answer: a body which nobody reads holds up the next request of its connection.
 */
export function finishUnreadBody(raw: IncomingMessage): void {
  if (raw.complete) return
  const isDrained = drained < MAX_DRAINED
  if (isDrained) drained++
  unread.add({ raw, isDrained, until: performance.now() + LINGER_MS })
  timer ??= setInterval(readOn, READ_EVERY_MS).unref()
}

function readOn(): void {
  const now = performance.now()
  let closed = 0
  for (const each of unread) {
    const { raw, isDrained, until } = each
    if (isDrained) raw.read()
    const isOver = now >= until && closed < MAX_CLOSED
    if (!raw.complete && !raw.destroyed && !isOver) continue
    unread.delete(each)
    if (isDrained) drained--
    if (raw.complete) raw.resume()
    else {
      if (!raw.destroyed) closed++
      raw.socket.destroy()
    }
  }
  if (unread.size > 0) return
  clearInterval(timer)
  timer = undefined
}
