import createClient, { type FetchResponse, type MaybeOptionalInit, type Middleware } from 'openapi-fetch'
import { refusal } from './error.ts'
import type { paths } from './openapi.ts'
import { IDEMPOTENCY_KEY, retrying, type Send } from './retrying.ts'

export { type Coded, type ErrorCode, GatehouseError } from './error.ts'
export type * from './openapi.ts'

/** Where a client connects, and as whom. */
export interface Options {
  /** The address of the gateway: `https://gatehouse.example.com`. */
  url: string
  /** An API token, which is sent as a header. Partners and exhibitors, who have their own in a path, need none. */
  token?: string
  /** How long a request may take, with its retries; a minute by default. `signal` of a call may end it earlier. */
  deadlineMs?: number
  /** Whether a POST gets an `Idempotency-Key`, as those of the API do; true by default. One without is sent once. */
  keyed?: boolean
  /** In place of the global `fetch`. */
  fetch?: Send
}

type Method = 'get' | 'post' | 'put' | 'delete'
/** The paths of an API document, as types. */
type Paths<D> = { [P in keyof D]: { [N in Method]?: unknown } }
type PathsOf<D, M extends Method> = { [P in keyof D]: D[P] extends Record<M, object> ? P : never }[keyof D]

/** A method of openapi-fetch, without the results that are thrown here. */
type MethodCall<D extends Paths<D>, M extends Method> = <P extends PathsOf<D, M>, I extends MaybeOptionalInit<D[P], M>>(
  path: P,
  ...init: Record<never, never> extends I ? [I?] : [I]
) => Promise<Extract<FetchResponse<D[P][M] & object, I, 'application/json'>, { data: unknown }>>

/** Calls by the paths of the API: `client.GET('/api/v1/events.json')` gives `data` and `response`, or throws a `GatehouseError`. */
export interface Client<D extends Paths<D> = paths> {
  GET: MethodCall<D, 'get'>
  POST: MethodCall<D, 'post'>
  PUT: MethodCall<D, 'put'>
  DELETE: MethodCall<D, 'delete'>
}

/** Refusals have their codes only in problem+json. */
const ACCEPT = 'application/json, application/problem+json'

/** A client of a gateway. */
export function connect<D extends Paths<D> = paths>({
  url,
  token,
  deadlineMs = 60_000,
  keyed = true,
  fetch = globalThis.fetch,
}: Options): Client<D> {
  const client = createClient<D>({
    baseUrl: url,
    fetch: retrying(fetch, deadlineMs),
    headers: { accept: ACCEPT, ...(token !== undefined && { authorization: `Bearer ${token}` }) },
  })
  client.use(refusals)
  if (keyed) client.use(keys)
  return client as unknown as Client<D>
}

/** Every POST of the API takes a key, and no other method does. */
const keys: Middleware = {
  onRequest({ request }) {
    if (request.method === 'POST' && !request.headers.has(IDEMPOTENCY_KEY))
      request.headers.set(IDEMPOTENCY_KEY, crypto.randomUUID())
  },
}

const refusals: Middleware = {
  async onResponse({ response }) {
    if (response.ok) return
    const body = await response
      .clone()
      .json()
      .catch(() => undefined)
    if (!Array.isArray(body)) throw refusal(response, body)
    // Of a batch some items are refused, each in its place. It is an answer like another, which openapi-fetch has to read as one.
    Object.defineProperty(response, 'ok', { value: true })
  },
}
