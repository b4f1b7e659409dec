import { isRefused } from '@gatehouse/proto/declaring/webhook-urls.ts'
import { Agent, request } from 'undici'
import { publicLookup, REFUSED_ADDRESS } from './addresses.ts'

/** What is read of an answer, so that the connection can be used again; nothing of it is kept. */
const ANSWER_BYTES = 64 * 1024

/** What a receiver answered, or why there is no answer: `timeout`, or a code like `ECONNREFUSED`. */
export type Outcome = { status: number } | { error: string }

/** Sends requests to receivers. Redirects are answers like any other: they are not followed. */
export class Sender {
  readonly #agent: Agent
  readonly #allowPrivate: boolean
  readonly #timeoutMs: number

  /** `allowPrivate`: also to addresses that are not public. `timeoutMs`: from the connection to the end of the answer. */
  constructor(allowPrivate: boolean, timeoutMs: number) {
    this.#allowPrivate = allowPrivate
    this.#timeoutMs = timeoutMs
    this.#agent = new Agent({
      // Whoever sends says how many at once go to a receiver; those that share a host do not wait for one another.
      pipelining: 1,
      keepAliveTimeout: 10_000,
      connect: { timeout: timeoutMs, ...(!allowPrivate && { lookup: publicLookup() }) },
    })
  }

  /** Posts JSON. Never rejects. */
  async post(url: string, headers: Record<string, string>, body: string): Promise<Outcome> {
    // An address in the place of a name is never looked up.
    if (!this.#allowPrivate && isRefused(new URL(url).hostname)) return { error: REFUSED_ADDRESS }
    try {
      const answer = await request(url, {
        method: 'POST',
        dispatcher: this.#agent,
        headers: { 'content-type': 'application/json', 'user-agent': 'Gatehouse', ...headers },
        body,
        signal: AbortSignal.timeout(this.#timeoutMs),
      })
      // What it answered is known; whether its body comes whole does not matter.
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
