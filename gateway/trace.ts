import { randomFillSync } from 'node:crypto'

const TRACEPARENT = /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/
const TRACE_BYTES = 16
const ID_BYTES = TRACE_BYTES + 8

/** Random bytes are asked for by the hundred: each question costs more than its bytes. */
const pool = Buffer.alloc(ID_BYTES * 256)
let used = pool.length

/** The `traceparent` (W3C Trace Context) of a request: the one that it came with, if it can be read, or a new one. */
export function traceparentOf(given: string | string[] | undefined): string {
  if (typeof given === 'string' && TRACEPARENT.test(given)) return given
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  const ids = pool.toString('hex', used, used + ID_BYTES)
  used += ID_BYTES
  return `00-${ids.slice(0, TRACE_BYTES * 2)}-${ids.slice(TRACE_BYTES * 2)}-01`
}
