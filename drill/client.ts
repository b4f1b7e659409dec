import { setTimeout as sleep } from 'node:timers/promises'
import { sendRequest } from '@gatehouse/test/load/http.ts'
import { type Phase, Unfinished } from '@gatehouse/test/load/phases.ts'
import type { DoorSystem, RealSystem } from '@gatehouse/test/load/system.ts'
import { type DrillRecord, now } from './record.ts'

/** The gateway's deadline of 5 s, and one second for a busy machine. */
const MAX_MS = 6_000
/** A batch may take four times the deadline, if it is long. */
export const MAX_BATCH_MS = 21_000
/** Much longer, to distinguish late answers from missing ones. */
const TIMEOUT_MS = 40_000
/** A device that gives up does so when an answer is certainly late. */
const GIVING_UP_MS = 500
const PAUSE_MS = 150

/** The result of a request. Status 0: the connection was refused or closed. */
export interface DrillAnswer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: the checks look into it freely
  body: any
  sentAt: number
  at: number
}

interface ClientOptions {
  /** No answer may take longer. */
  maxMs?: number
  /** Whether items of a batch may be refused. */
  mayRefuse?: boolean
  /** Whether it gives up when an answer is late, since nothing tells it that its gateway's host is gone. */
  givesUp?: boolean
}

/** A device of a drill that is about the doors alone. */
export type DoorClient = DrillClient<DoorSystem>

/** A device: sends requests to a gateway, and records violations in the answers. */
export class DrillClient<System extends DoorSystem = RealSystem> {
  readonly system: System
  readonly record: DrillRecord
  readonly phase: Phase
  readonly #options: ClientOptions
  #gateway: number

  /** Begins with gateway number `gateway`; after a request without an answer it changes to the next. Throws the reason once the phase is over. */
  constructor(system: System, record: DrillRecord, phase: Phase, gateway = 0, options: ClientOptions = {}) {
    this.system = system
    this.record = record
    this.phase = phase
    this.#gateway = gateway
    this.#options = options
  }

  /** Another device, which begins with gateway number `gateway`. */
  at(gateway: number, options = this.#options): DrillClient<System> {
    return new DrillClient(this.system, this.record, this.phase, gateway, options)
  }

  /** Changes to the next gateway. */
  turn(): void {
    this.#gateway++
  }

  /** One try. `path` begins after `/api/v1/`, or with a slash where it is that of a page. The body is sent as JSON, or as a form if it is one. */
  async ask(method: string, path: string, body?: unknown, key?: string, gateway = this.#gateway): Promise<DrillAnswer> {
    const { signal } = this.phase
    signal.throwIfAborted()
    const index = gateway % this.system.gateways.length
    const base = this.system.gateways[index]
    const sentAt = now()
    const isForm = body instanceof URLSearchParams
    const sent = body === undefined ? undefined : isForm ? body.toString() : JSON.stringify(body)
    const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json; charset=utf-8'
    const headers = [
      ...['authorization', `Bearer ${this.system.auth_token}`],
      ...(sent === undefined ? [] : ['content-type', type]),
      ...(key ? ['idempotency-key', key] : []),
    ]
    const isPage = path.startsWith('/')
    const url = isPage ? base + path : `${base}/api/v1/${path}`
    const request = { method, url, headers, body: sent }
    const { maxMs: usual = MAX_MS, mayRefuse = false, givesUp = false } = this.#options
    const maxMs = path.endsWith('/batch_create.json') ? MAX_BATCH_MS : usual
    const timeoutMs = givesUp ? maxMs * this.record.slack + GIVING_UP_MS : TIMEOUT_MS
    const answer = await sendRequest(request, { timeoutMs, signal }).catch(() => undefined)
    signal.throwIfAborted()
    const at = now()
    const status = answer?.status ?? 0
    const what = `${method} ${path} at ${Math.round(sentAt)} ms: ${status} after ${Math.round(at - sentAt)} ms`
    this.record.answered(status, sentAt, at)
    const trouble = { gateway: `gateway-${index + 1}`, what, sentAt, at, maxMs }
    if (status === 0) this.record.closed.push(trouble)
    if (at - sentAt > maxMs * this.record.slack) this.record.slow.push(trouble)
    const passing = status === 0 || status === 409 || status === 429
    const isPartial = mayRefuse && status === 422 && answer?.text.startsWith('[')
    const deletedBefore = method === 'DELETE' && status === 404
    if (status === 503 && !answer?.headers['retry-after'])
      this.record.violation('failures', '503 without Retry-After', [what])
    else if (status > 299 && status !== 503 && !passing && !deletedBefore && !isPartial)
      this.record.violation('failures', 'an unexpected answer', [what, sent?.slice(0, 500), answer?.text])
    if ((status === 0 || status === 503) && gateway === this.#gateway) this.#gateway++
    const isTold = (status >= 200 && status < 300) || isPartial
    return { status, body: isTold && answer?.text && !isPage ? JSON.parse(answer.text) : undefined, sentAt, at }
  }

  /** Retries until success, through any gateway. `tries` gets each answer. */
  async retry(
    method: string,
    path: string,
    body?: unknown,
    key?: string,
    { tries = () => {}, forMs = 60_000 }: { tries?: (answer: DrillAnswer) => void; forMs?: number } = {},
  ): Promise<DrillAnswer | undefined> {
    const until = now() + forMs
    for (;;) {
      const answer = await this.ask(method, path, body, key)
      tries(answer)
      if (answer.status >= 200 && answer.status < 300) return answer
      if (method === 'DELETE' && answer.status === 404) return answer
      if (now() > until) return undefined
      await sleep(PAUSE_MS)
    }
  }

  /** Retries what the drill cannot go on without; returns the body. Throws {@link Unfinished} if it is never answered. */
  // biome-ignore lint/suspicious/noExplicitAny: the checks look into it freely
  async insist(...[method, path, ...more]: Parameters<DrillClient['retry']>): Promise<any> {
    const answer = await this.retry(method, path, ...more)
    if (!answer) throw new Unfinished(`${method} ${path} was not answered, however often it was asked`)
    return answer.body
  }

  /** Reads a path. Throws {@link Unfinished} if it is never answered. */
  // biome-ignore lint/suspicious/noExplicitAny: the checks look into it freely
  async read(path: string): Promise<any> {
    this.phase.waitFor(`the answer to GET ${path}`)
    return this.insist('GET', path)
  }

  /** All of a list, page by page; with a filter, what it leaves. */
  async list<T>(path: string, filter?: string): Promise<T[]> {
    const items: T[] = []
    for (let page = 1; ; page++) {
      const found = (await this.read(`${path}?page=${page}&per_page=500${filter ? `&${filter}` : ''}`)) as T[]
      items.push(...found)
      if (found.length < 500) return items
    }
  }
}
