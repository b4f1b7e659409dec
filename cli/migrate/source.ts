import { setTimeout as sleep } from 'node:timers/promises'
import { isObject } from '@gatehouse/proto/formats/json-reader.ts'

/** A thing as the other system shows it. */
export type SourceItem = Record<string, unknown>

/** How the other system is read. */
export interface SourceOptions {
  /** Its address, with or without `/api/v1`. */
  url: string
  token: string
  /** How many requests may run at once. */
  concurrency: number
  stop: AbortSignal
  /** Says why a request waits. */
  say: (line: string) => void
}

const REQUEST_MS = 60_000
const FIRST_PAUSE_MS = 500
const MAX_PAUSE_MS = 60_000
/** For so long a system may be away. */
const PATIENCE_MS = 15 * 60_000
const MAX_REDIRECTS = 5
const MAX_PAGES = 1_000_000

/** What a request comes to: an answer, or what passes. */
type Tried = { body: unknown; page: string | null } | { passing: string; waitMs?: number }

/**
 * Reads another system of this interface, politely: few requests at once, and growing pauses while it is away or asks for time. Follows
 * redirects on the same host alone, so that the token goes nowhere else.
 */
export class Source {
  readonly #options: SourceOptions
  readonly #base: URL
  #running = 0
  readonly #waiting: (() => void)[] = []
  /** Nothing is asked before this time, by `performance.now()`. */
  #restsUntil = 0

  constructor(options: SourceOptions) {
    this.#options = options
    this.#base = new URL(`${options.url.replace(/\/+$/, '').replace(/\/api\/v1$/, '')}/api/v1/`)
  }

  /** Returns what a path answers, below `/api/v1` unless it begins with a slash; undefined for one that is not there. Throws a sentence that names the path, without the token. */
  async read(path: string, query: Record<string, string> = {}): Promise<unknown> {
    return (await this.#ask(path, query))?.body
  }

  /** The thing at a path; undefined if there is none. */
  async readOne(path: string, query: Record<string, string> = {}): Promise<SourceItem | undefined> {
    const body = await this.read(path, query)
    return isObject(body) ? body : undefined
  }

  /** The things of a list that has one page; none where the path is not there. */
  async readList(path: string, query: Record<string, string> = {}): Promise<SourceItem[]> {
    return itemsIn(await this.read(path, query), path)
  }

  /**
   * The pages of a list, until one is empty. A list that ignores `page` has one. What moved from page to page while they were read comes
   * twice; what was moved past is missing, which the counts of the event show.
   */
  async *pages(path: string, query: Record<string, string> = {}): AsyncGenerator<SourceItem[]> {
    let before = ''
    for (let page = 1; page <= MAX_PAGES; page++) {
      const answer = await this.#ask(path, { ...query, page: String(page) })
      const items = itemsIn(answer?.body, path)
      const these = JSON.stringify(items.map(idOf))
      // Beyond the end some answer the first page again, or lead there.
      if (items.length === 0 || these === before || (page > 1 && answer?.page === '1')) return
      before = these
      yield items
    }
  }

  async #ask(path: string, query: Record<string, string>): Promise<{ body: unknown; page: string | null } | undefined> {
    const { stop, say } = this.#options
    const url = new URL(path.startsWith('/') ? `../..${path}.json` : `${path}.json`, this.#base)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    const until = performance.now() + PATIENCE_MS
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, MAX_PAUSE_MS)) {
      const tried = await this.#inTurn(() => this.#try(url))
      if (!tried || 'body' in tried) return tried
      const waitMs = Math.min(tried.waitMs ?? pause, MAX_PAUSE_MS)
      if (performance.now() + waitMs > until) throw new Error(`${url.host} ${tried.passing} at ${path}`)
      say(`${url.host} ${tried.passing}; waiting for ${Math.ceil(waitMs / 1_000)} s`)
      // Who asks for time asks all.
      if (tried.waitMs !== undefined) this.#restsUntil = Math.max(this.#restsUntil, performance.now() + waitMs)
      await sleep(waitMs, undefined, { signal: stop })
    }
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const { concurrency, stop } = this.#options
    while (this.#running >= concurrency) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    this.#running++
    try {
      const restMs = this.#restsUntil - performance.now()
      if (restMs > 0) await sleep(restMs, undefined, { signal: stop })
      return await work()
    } finally {
      this.#running--
      this.#waiting.shift()?.()
    }
  }

  async #try(asked: URL): Promise<Tried | undefined> {
    const { stop } = this.#options
    stop.throwIfAborted()
    let url = asked
    try {
      for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
        const answer = await this.#fetch(url)
        const location = answer.headers.get('location')
        if (answer.status >= 300 && answer.status < 400 && location) {
          await answer.body?.cancel()
          url = new URL(location, url)
          if (url.origin !== this.#base.origin) throw new RefusedError(`${asked.host} leads to ${url.origin}`)
          continue
        }
        return await triedOf(answer, asked, url)
      }
      throw new RefusedError(`${asked.host} redirects without end at ${asked.pathname}`)
    } catch (error) {
      if (error instanceof RefusedError || stop.aborted) throw error
      return { passing: 'does not answer' }
    }
  }

  #fetch(url: URL): Promise<Response> {
    const withToken = new URL(url)
    withToken.searchParams.set('auth_token', this.#options.token)
    const signal = AbortSignal.any([this.#options.stop, AbortSignal.timeout(REQUEST_MS)])
    return fetch(withToken, { redirect: 'manual', signal, headers: { accept: 'application/json' } })
  }
}

/** What no further try changes. */
class RefusedError extends Error {}

async function triedOf(answer: Response, asked: URL, url: URL): Promise<Tried | undefined> {
  const { status } = answer
  const text = await answer.text()
  if (status === 429) return { passing: 'asks for time', waitMs: retryAfterOf(answer) ?? 5_000 }
  if (status >= 500) {
    const waitMs = retryAfterOf(answer)
    return { passing: `answers ${status}`, ...(waitMs !== undefined && { waitMs }) }
  }
  if (status === 404) return undefined
  if (status === 401 || status === 403) throw new RefusedError(`${asked.host} refuses the token at ${asked.pathname}`)
  if (status >= 400) throw new RefusedError(`${asked.host} answers ${status} at ${asked.pathname}`)
  try {
    return { body: JSON.parse(text), page: url.searchParams.get('page') }
  } catch {
    return { passing: 'sent an answer that is cut off' }
  }
}

/** How long an answer asks to wait, in ms. */
function retryAfterOf({ headers }: Response): number | undefined {
  const given = headers.get('retry-after')
  if (given === null) return undefined
  const ms = /^\d+$/.test(given.trim()) ? Number(given) * 1_000 : Date.parse(given) - Date.now()
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined
}

/** The things of a list, which may stand under a name of its own. */
function itemsIn(body: unknown, path: string): SourceItem[] {
  if (body === undefined || body === null) return []
  const list = Array.isArray(body) ? body : isObject(body) ? Object.values(body).find(Array.isArray) : undefined
  if (!list) throw new Error(`${path} is no list`)
  return list.filter(isObject)
}

/** The id of a thing: `_id` or `id`, a text or `{"$oid": text}`; undefined if it has none. */
export function idOf({ _id, id }: SourceItem): string | undefined {
  const given = _id ?? id
  if (isObject(given)) return typeof given.$oid === 'string' ? given.$oid : undefined
  return typeof given === 'string' || typeof given === 'number' ? String(given) : undefined
}
