import type { IncomingMessage } from 'node:http'

/** How long a client may go on with a body that is refused already, in ms: long enough to read why. */
const LINGER_MS = 3_000
/** Every so many ms as much is read as a stream buffers, 64 KiB: 3 MB a second. */
const READ_EVERY_MS = 20
/** Connections that are read so at once. Others are only closed. */
const READ_SIZE = 8

interface Unread {
  raw: IncomingMessage
  isDrained: boolean
  /** When the client's time is over. */
  until: number
}

const unread = new Set<Unread>()
let drained = 0
let timer: NodeJS.Timeout | undefined

/** Keeps Node from reading the rest of a body at full speed, only to throw it away, when its request is answered. Call it before the answer. */
export function drainSlowly(raw: IncomingMessage): void {
  // Node looks whether anything has begun to read. `read()` does not always count, since it may find enough in the buffer.
  if (!raw.complete) raw._read(0)
}

/**
 * Reads on slowly in a body that was refused, since many clients read no answer before they have sent everything, and closes the
 * connection where that takes too long. Call it after the answer.
 */
export function finishUnreadBody(raw: IncomingMessage): void {
  if (raw.complete) return
  const isDrained = drained < READ_SIZE
  if (isDrained) drained++
  unread.add({ raw, isDrained, until: performance.now() + LINGER_MS })
  timer ??= setInterval(readOn, READ_EVERY_MS).unref()
}

function readOn(): void {
  const now = performance.now()
  for (const each of unread) {
    const { raw, isDrained, until } = each
    if (isDrained) raw.read()
    if (!raw.complete && !raw.destroyed && now < until) continue
    unread.delete(each)
    if (isDrained) drained--
    if (raw.complete) raw.resume()
    else raw.socket.destroy()
  }
  if (unread.size > 0) return
  clearInterval(timer)
  timer = undefined
}
