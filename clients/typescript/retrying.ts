import { GatehouseError, retryAfterOf } from './error.ts'

/**
 * Sends a request: `fetch`, or what takes its place. The signal of `init` ends it. That of the request does so too, but Node forgets it when it
 * collects garbage before the answer is there.
 */
export type Send = (request: Request, init?: { signal: AbortSignal }) => Promise<Response>

/** The header under which a POST is done once, however often it is sent. */
export const IDEMPOTENCY_KEY = 'idempotency-key'

const FIRST_PAUSE_MS = 100
const MAX_PAUSE_MS = 5_000
/** Nothing was done, or it is unknown what was. 502 and 504 are a proxy's, while a gateway starts. */
const PASSING = new Set([429, 502, 503, 504])

/**
 * Sends requests again, with growing pauses, while they get no answer or a passing refusal: those that only read, and those with an
 * `Idempotency-Key`. Returns the last answer when `deadlineMs` would be over before the next try.
 */
export function retrying(send: Send, deadlineMs: number): Send {
  return async (request) => {
    const until = performance.now() + deadlineMs
    const signal = AbortSignal.any([request.signal, AbortSignal.timeout(deadlineMs)])
    const isRepeatable = request.method === 'GET' || request.headers.has(IDEMPOTENCY_KEY)
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
      // The body of a request can be sent only once.
      const asked = send(new Request(request.clone(), { signal }), { signal })
      const answer = await whole(asked).catch((cause: Error) => cause)
      request.signal.throwIfAborted()
      const retryAfter = answer instanceof Response ? retryAfterOf(answer) : undefined
      // With jitter, since many may wait for the same service.
      const wait = (retryAfter ?? 0) * 1_000 + pause * (0.5 + Math.random() / 2)
      if (!isRepeatable || !isPassing(answer) || performance.now() + wait > until) {
        if (answer instanceof Response) return answer
        throw new GatehouseError(0, 'There was no answer', { cause: answer })
      }
      await pauseFor(wait, request.signal)
    }
  }
}

/** Waits, in Node and in browsers. Rejects with the reason of a signal that ends the pause. */
export function pauseFor(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      if (signal.aborted) reject(signal.reason)
      else resolve()
    }
    const timer = setTimeout(end, ms)
    if (signal.aborted) end()
    else signal.addEventListener('abort', end)
  })
}

/** An answer whose body is there too. A connection that breaks on the way is no answer. */
async function whole(asked: Promise<Response>): Promise<Response> {
  const answer = await asked
  await answer.clone().arrayBuffer()
  return answer
}

/** Whether another try may succeed. A 409 says so where an earlier try under the same key is still at work. */
function isPassing(answer: Response | Error): boolean {
  if (answer instanceof Error) return true
  return PASSING.has(answer.status) || (answer.status === 409 && retryAfterOf(answer) !== undefined)
}
