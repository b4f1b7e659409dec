import { setTimeout as sleep } from 'node:timers/promises'
import { isObject } from '@gatehouse/proto/formats/json-reader.ts'
import { sayWhileWaiting, timeOf } from '../waiting.ts'
import {
  type Answered,
  bytesOf,
  jsonOf,
  PartAwayError,
  type Reading,
  RefusedError,
  type Tried,
  triedOf,
} from './answers.ts'

/** A thing as the other system shows it. */
export type SourceItem = Record<string, unknown>

/** How the other system is read. */
export interface SourceOptions {
  /** Its address, with or without `/api/v1`. */
  url: string
  token: string
  /** How many requests may run at once. */
  concurrency: number
  /** For how long it may be away. */
  patienceMs: number
  stop: AbortSignal
  /** Says what is waited for. */
  say: (line: string) => void
}

const REQUEST_MS = 60_000
const FIRST_PAUSE_MS = 500
const MAX_PAUSE_MS = 60_000
/** For so long one of its parts may be away while the rest answers. */
const PART_PATIENCE_MS = 5_000
/** The parts that a system may lack, by the last name of their paths. */
const PARTS: Readonly<Record<string, string>> = {
  promo_codes: 'discount codes',
  partners: 'partners',
  invitation_types: 'partners',
  exhibitors: 'exhibitors',
  connections: 'exhibitors',
}
const MAX_REDIRECTS = 5
const MAX_PAGES = 1_000_000

/**
 * Reads another system of this interface, politely: few requests at once, and growing pauses while it is away or asks for time. Follows
 * redirects on the same host alone, those of files elsewhere too, but without the token.
 */
export class Source {
  readonly #options: SourceOptions
  readonly #base: URL
  #running = 0
  readonly #waiting: (() => void)[] = []
  /** Nothing is asked before this time, by `performance.now()`. */
  #restsUntil = 0
  /** What has not answered yet, the longest first: that alone is said. */
  readonly #unanswered = new Set<object>()
  /** Its parts that are away. */
  readonly #lacking = new Set<string>()
  /** How far the clock there is ahead of that here, in ms. */
  #aheadMs = 0

  constructor(options: SourceOptions) {
    this.#options = options
    this.#base = new URL(`${options.url.replace(/\/+$/, '').replace(/\/api\/v1$/, '')}/api/v1/`)
  }

  /** The time by the clock there, as its last answer said it. */
  now(): Date {
    return new Date(Date.now() + this.#aheadMs)
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

  /** The file at an address, which may lead to where the other system keeps its files; undefined if there is none. */
  async readFile(address: string): Promise<Buffer | undefined> {
    const shown = new URL(address, this.#base)
    // It may know itself by another name than the one by which it is reached here.
    const url = shown.pathname.startsWith('/api/v1/') ? new URL(shown.pathname + shown.search, this.#base) : shown
    return (await this.#askAt(url, url.pathname, bytesOf))?.body
  }

  #ask(path: string, query: Record<string, string>): Promise<Answered<unknown> | undefined> {
    const url = new URL(path.startsWith('/') ? `../..${path}.json` : `${path}.json`, this.#base)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    return this.#askAt(url, path, jsonOf)
  }

  async #askAt<T>(url: URL, path: string, read: Reading<T>): Promise<Answered<T> | undefined> {
    const asked = { passing: 'has not answered' }
    this.#unanswered.add(asked)
    const end = sayWhileWaiting((waited) => {
      const [longest] = this.#unanswered
      if (asked === longest) this.#options.say(`${url.host} ${asked.passing} at ${path}; waiting for ${waited} so far`)
    })
    try {
      return await this.#askUntilAnswered(url, path, read, asked)
    } finally {
      end()
      this.#unanswered.delete(asked)
    }
  }

  async #askUntilAnswered<T>(
    url: URL,
    path: string,
    read: Reading<T>,
    asked: { passing: string },
  ): Promise<Answered<T> | undefined> {
    const { stop, patienceMs } = this.#options
    const begun = performance.now()
    const until = begun + patienceMs
    const part = PARTS[path.slice(path.lastIndexOf('/') + 1)]
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, MAX_PAUSE_MS)) {
      const tried = await this.#inTurn(() => this.#try(url, read, until))
      if (!tried || 'body' in tried) {
        if (part) this.#lacking.delete(part)
        return tried
      }
      const waited = performance.now() - begun
      const what = `${url.host} ${tried.passing} at ${path}`
      const isLong = part !== undefined && (waited >= PART_PATIENCE_MS || this.#lacking.has(part))
      if (part && isLong && tried.isError && (await this.#showsEvents())) {
        this.#lacking.add(part)
        throw new PartAwayError(`${what}, though it shows events: its ${part} are away, or it has none`)
      }
      if (waited >= patienceMs) throw new Error(`${what}: given up after ${timeOf(patienceMs)} (--timeout)`)
      asked.passing = tried.passing
      const waitMs = Math.min(tried.waitMs ?? pause, MAX_PAUSE_MS, patienceMs - waited)
      // Who asks for time asks all.
      if (tried.waitMs !== undefined) this.#restsUntil = Math.max(this.#restsUntil, performance.now() + waitMs)
      await sleep(waitMs, undefined, { signal: stop })
    }
  }

  async #showsEvents(): Promise<boolean> {
    const url = new URL('events.json', this.#base)
    const tried = await this.#inTurn(() => this.#try(url, jsonOf, Number.POSITIVE_INFINITY))
    return tried !== undefined && 'body' in tried
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

  async #try<T>(asked: URL, read: Reading<T>, until: number): Promise<Tried<T> | undefined> {
    const { stop } = this.#options
    stop.throwIfAborted()
    let url = asked
    try {
      for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
        const answer = await this.#fetch(url, until)
        const aheadMs = Date.parse(answer.headers.get('date') ?? '') - Date.now()
        if (Number.isFinite(aheadMs)) this.#aheadMs = aheadMs
        const location = answer.headers.get('location')
        if (answer.status >= 300 && answer.status < 400 && location) {
          await answer.body?.cancel()
          url = new URL(location, url)
          if (url.origin !== this.#base.origin && read !== bytesOf)
            throw new RefusedError(`${asked.host} leads to ${url.origin}`)
          continue
        }
        return await triedOf(answer, asked, url, read)
      }
      throw new RefusedError(`${asked.host} redirects without end at ${asked.pathname}`)
    } catch (error) {
      if (error instanceof RefusedError || stop.aborted) throw error
      return { passing: 'does not answer' }
    }
  }

  #fetch(url: URL, until: number): Promise<Response> {
    const withToken = new URL(url)
    if (url.origin === this.#base.origin) withToken.searchParams.set('auth_token', this.#options.token)
    const ms = Math.max(1, Math.min(REQUEST_MS, Math.ceil(until - performance.now())))
    const signal = AbortSignal.any([this.#options.stop, AbortSignal.timeout(ms)])
    return fetch(withToken, { redirect: 'manual', signal, headers: { accept: 'application/json, */*;q=0.1' } })
  }
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
