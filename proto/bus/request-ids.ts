import { randomBytes } from 'node:crypto'

/*
 * Ids of requests that the gateway may send to a second process. The things that a request creates are stored under ids that follow from its own,
 * so that the store refuses them a second time.
 */

const SECONDS = 8
const HEAD = 16
const LENGTH = 24

/** A new id. Like an ObjectId it begins with the time in seconds, since ids that lie together in an index are cheaper to store. */
export function newRequestId(): string {
  const seconds = Math.floor(Date.now() / 1_000)
  return seconds.toString(16).padStart(SECONDS, '0') + randomBytes((LENGTH - SECONDS) / 2).toString('hex')
}

/** The second in which a request was made, by the gateway's clock. */
export function timeOfRequest(request_id: string): Date {
  return new Date(Number.parseInt(request_id.slice(0, SECONDS), 16) * 1_000)
}

/** Whether a value is such an id. */
export function isRequestId(value: unknown): boolean {
  return typeof value === 'string' && /^[0-9a-f]{24}$/.test(value)
}

/** Returns a function that gives the `_id`s of what a request creates, the same each time it is sent. */
export function idsOfRequest(request_id: string): () => string {
  const head = request_id.slice(0, HEAD)
  let next = Number.parseInt(request_id.slice(HEAD), 16)
  return () => head + (next++ >>> 0).toString(16).padStart(LENGTH - HEAD, '0')
}
