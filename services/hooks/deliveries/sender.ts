import { isRefused } from '@gatehouse/proto/declaring/webhook-urls.ts'
import { Agent, request } from 'undici'
import { publicLookup, REFUSED_ADDRESS } from './addresses.ts'

/** Bytes which are read of an answer and dropped, so that the connection can be reused. */
const ANSWER_BYTES = 64 * 1024

/** A receiver's answer, or the reason why there is none: `timeout`, or a code like `ECONNREFUSED`. */
export type Outcome = { status: number } | { error: string }

/** Sends requests to receivers. Redirects are not followed. */
export class Sender {
  readonly #agent: Agent
  readonly #allowPrivate: boolean
  readonly #timeoutMs: number

  /** `allowPrivate` permits addresses which are not public. `timeoutMs` lasts from the connection to the end of the answer. */
  constructor(allowPrivate: boolean, timeoutMs: number) {
    this.#allowPrivate = allowPrivate
    this.#timeoutMs = timeoutMs
    this.#agent = new Agent({
      // No limit of connections: the caller limits concurrent requests to a receiver, and receivers on the same host do not wait for each other.
      keepAliveTimeout: 10_000,
      connect: { timeout: timeoutMs, ...(!allowPrivate && { lookup: publicLookup() }) },
    })
  }

  /** Posts JSON. Never rejects. */
  async post(url: string, headers: Record<string, string>, body: string): Promise<Outcome> {
    // An IP address as host is never looked up.
    if (!this.#allowPrivate && isRefused(new URL(url).hostname)) return { error: REFUSED_ADDRESS }
    try {
      const answer = await request(url, {
        method: 'POST',
        dispatcher: this.#agent,
        headers: { 'content-type': 'application/json', 'user-agent': 'Gatehouse', ...headers },
        body,
        signal: AbortSignal.timeout(this.#timeoutMs),
      })
      // The status is known; an incomplete body does not matter.
      await answer.body.dump({ limit: ANSWER_BYTES }).catch(() => {})
      return { status: answer.statusCode }
    } catch (error) {
      return { error: reasonOf(error) }
    }
  }

  async close(): Promise<void> {
    await this.#agent.destroy()
  }
}

/** A short reason without the address, which may hold a secret. */
function reasonOf(error: unknown): string {
  const { name, code } = error as { name?: string; code?: unknown }
  if (name === 'TimeoutError') return 'timeout'
  return typeof code === 'string' ? code : 'ERR_REQUEST'
}
