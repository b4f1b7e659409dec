import { isRefused } from '@gatehouse/proto/declaring/webhook-urls.ts'
import type { Agent, request } from 'undici'
import { publicLookup, REFUSED_ADDRESS } from './addresses.ts'

/** Bytes that are read of an answer and dropped, so that the connection can be reused. */
const ANSWER_BYTES = 64 * 1024

/** The status of a receiver's answer, or the reason why there is none: `timeout`, or a code like `ECONNREFUSED`. */
export interface DeliveryResponse {
  response_status: number | null
  error: string | null
}

/** Sends requests to receivers. Redirects are not followed. */
export class WebhookClient {
  readonly #allowPrivate: boolean
  readonly #timeoutMs: number
  #client: Promise<{ agent: Agent; request: typeof request }> | undefined

  /** `allowPrivate` permits addresses that are not public. `timeoutMs` lasts from the connection to the end of the answer. */
  constructor(allowPrivate: boolean, timeoutMs: number) {
    this.#allowPrivate = allowPrivate
    this.#timeoutMs = timeoutMs
  }

  /** Opens the HTTP client, for the first delivery: to load it would take a sixth of the start of the process. */
  async #open(): Promise<{ agent: Agent; request: typeof request }> {
    const { Agent, request } = await import('undici')
    const agent = new Agent({
      // No limit of connections: the caller limits concurrent requests to a receiver, and receivers on the same host do not wait for each other.
      keepAliveTimeout: 10_000,
      connect: { timeout: this.#timeoutMs, ...(!this.#allowPrivate && { lookup: publicLookup() }) },
    })
    return { agent, request }
  }

  /** Posts a payload, which is XML if it begins so, else JSON. Never rejects. */
  async post(url: string, headers: Record<string, string>, body: string): Promise<DeliveryResponse> {
    // An IP address as host is never looked up.
    if (!this.#allowPrivate && isRefused(new URL(url).hostname))
      return { response_status: null, error: REFUSED_ADDRESS }
    this.#client ??= this.#open()
    try {
      const { agent, request } = await this.#client
      const answer = await request(url, {
        method: 'POST',
        dispatcher: agent,
        headers: { 'content-type': mediaTypeOf(body), 'user-agent': 'Gatehouse', ...headers },
        body,
        signal: AbortSignal.timeout(this.#timeoutMs),
      })
      // The status is known; an incomplete body does not matter.
      await answer.body.dump({ limit: ANSWER_BYTES }).catch(() => {})
      return { response_status: answer.statusCode, error: null }
    } catch (error) {
      return { response_status: null, error: reasonOf(error) }
    }
  }

  async close(): Promise<void> {
    await (await this.#client)?.agent.destroy()
  }
}

function mediaTypeOf(body: string): string {
  return body.startsWith('<') ? 'application/xml; charset=utf-8' : 'application/json'
}

/** A short reason without the address, which may hold a secret. */
function reasonOf(error: unknown): string {
  const { name, code } = error as { name?: string; code?: unknown }
  if (name === 'TimeoutError') return 'timeout'
  return typeof code === 'string' ? code : 'ERR_REQUEST'
}
