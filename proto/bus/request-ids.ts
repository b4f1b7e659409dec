import { randomHex } from '../process/random-hex.ts'

/*
 * Ids of requests that the gateway may send to a second process. The things that a request creates are stored under ids that follow from its own,
 * so that the store refuses them a second time.
 */

const SECONDS = 8
const TIME = SECONDS + 3
const HEAD = 16
const LENGTH = 24

/**
 * Returns a new id. Like an ObjectId it begins with the time in seconds, since ids that lie together in an index are cheaper to store; three digits
 * of milliseconds follow.
 */
export function newRequestId(now = Date.now()): string {
  const seconds = hexOf(Math.floor(now / 1_000), SECONDS)
  const random = randomHex(Math.ceil((LENGTH - TIME) / 2))
  return (seconds + hexOf(now % 1_000, TIME - SECONDS) + random).slice(0, LENGTH)
}

/** Returns when a request was made, by the gateway's clock. */
export function timeOfRequest(request_id: string): Date {
  const seconds = Number.parseInt(request_id.slice(0, SECONDS), 16)
  return new Date(seconds * 1_000 + Number.parseInt(request_id.slice(SECONDS, TIME), 16))
}

function hexOf(number: number, digits: number): string {
  return number.toString(16).padStart(digits, '0')
}

/** Whether a value is such an id. */
export function isRequestId(value: unknown): boolean {
  return typeof value === 'string' && /^[0-9a-f]{24}$/.test(value)
}

/** Returns a function that returns the `_id`s of what a request creates, the same each time it is sent. */
export function idsOfRequest(request_id: string): () => string {
  const head = request_id.slice(0, HEAD)
  let next = Number.parseInt(request_id.slice(HEAD), 16)
  return () => head + hexOf(next++ >>> 0, LENGTH - HEAD)
}
