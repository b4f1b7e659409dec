import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'

type Method = 'GET' | 'POST'

/** Open connections: one for each simulated scanner. */
const CONNECTIONS = 64
const TIMEOUT_MS = 30_000
const FIRST_PAUSE_MS = 50
const MAX_PAUSE_MS = 2_000
/** Temporary refusals: an earlier try still runs, too many requests, the service does not answer. */
const PASSING = new Set([409, 429, 503])

/** The HTTP interface as the demo uses it: JSON, one token, connections that stay open. */
export class Api {
  readonly #pool: Pool
  readonly #base: string
  readonly #headers: Record<string, string>

  constructor(baseUrl: string, token: string) {
    const { origin, pathname } = new URL(baseUrl)
    this.#pool = new Pool(origin, { connections: CONNECTIONS, headersTimeout: 15_000, bodyTimeout: 15_000 })
    this.#base = `${pathname.replace(/\/$/, '')}/api/v1`
    this.#headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json; charset=utf-8' }
  }

  /** Reads `events/…` without its suffix; `query` begins with `?`. */
  read<T>(path: string, query = ''): Promise<T> {
    return this.#ask('GET', `${path}.json${query}`, undefined, undefined)
  }

  /** Creates something once, with retries under the `Idempotency-Key` `key`. */
  create<T>(path: string, key: string, body: unknown): Promise<T> {
    return this.#ask('POST', `${path}.json`, JSON.stringify(body), key)
  }

  close(): Promise<void> {
    return this.#pool.close()
  }

  /** Retries for half a minute. Throws one sentence without an answer or for a refusal. */
  async #ask<T>(method: Method, path: string, body: string | undefined, key: string | undefined): Promise<T> {
    const until = performance.now() + TIMEOUT_MS
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
      const { status, text, retryAfter } = await this.#try(method, path, body, key)
      if (status >= 200 && status < 300) return JSON.parse(text) as T
      const wait = Math.max(pause, retryAfter * 1000)
      if (!PASSING.has(status) || performance.now() + wait > until) {
        throw new Error(`${method} ${path}: ${status || 'no answer'} ${text.slice(0, 200)}`)
      }
      await sleep(wait)
    }
  }

  async #try(method: Method, path: string, body: string | undefined, key: string | undefined) {
    try {
      const response = await this.#pool.request({
        method,
        path: `${this.#base}/${path}`,
        headers: { ...this.#headers, ...(key && { 'idempotency-key': key }) },
        ...(body !== undefined && { body }),
      })
      const text = await response.body.text()
      return { status: response.statusCode, text, retryAfter: Number(response.headers['retry-after'] ?? 0) || 0 }
    } catch (error) {
      // The connection broke or timed out; the request may have succeeded, and its key makes a retry safe.
      return { status: 503, text: (error as Error).message, retryAfter: 0 }
    }
  }
}
