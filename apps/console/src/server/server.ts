import { type Client, connect, GatehouseError } from '../../../../clients/typescript/client.ts'
import { retrying, type Send } from '../../../../clients/typescript/retrying.ts'
import type { paths } from './openapi.ts'

export { GatehouseError } from '../../../../clients/typescript/client.ts'

/** How long a request may take, with its retries. */
const DEADLINE_MS = 15_000
const KEY = 'Idempotency-Key'
/** Refusals after which nothing was done by the request itself: another one under its key is at work, or there are too many. */
const NOT_BEGUN = new Set([409, 429])

/** The API, as whoever is signed in: the browser sends the cookie of the session. */
export const client: Client = connect({ url: `${location.origin}/console`, deadlineMs: DEADLINE_MS })

/** What the console has besides the API: the session and passkeys. */
export const consoleClient: Client<paths> = connect<paths>({
  url: location.origin,
  deadlineMs: DEADLINE_MS,
  keyed: false,
})

/** What the server answers when it does what is asked at one of these paths. */
export type ConsoleAnswer<P extends keyof paths> = paths[P] extends {
  get: { responses: { 200: { content: { 'application/json': infer Answer } } } }
}
  ? Answer
  : never

/** The parameters of a path: `{ event_id: '66…' }`. */
export type PathParams = Record<string, string>
/** An object of the API whose type is known by its path only. */
export type Item = Record<string, unknown>

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
type Loose = Record<Method, (path: string, init: object) => Promise<{ data?: unknown; response: Response }>>
const loose = client as unknown as Loose

/** The ids of what this page has made. */
const made = new Set<unknown>()

/** Whether this page has made an item. */
export function isMadeHere({ _id }: Item): boolean {
  return made.has(_id)
}

/** Whether this page has made anything. */
export function hasMade(): boolean {
  return made.size > 0
}

const listeners = new Set<() => void>()

/** Calls a listener after each change that this page has made. Returns what ends that. */
export function onChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Tells that something was done here: a change, or what ends a job without one. */
export function tellChanged(): void {
  for (const listener of listeners) listener()
}

/** Reads a path of a page's description. */
export async function read<Result>(
  path: string,
  params: PathParams,
  query: object = {},
  signal?: AbortSignal,
): Promise<Result> {
  const { data } = await loose.GET(path, { params: { path: params, query }, ...(signal && { signal }) })
  return data as Result
}

/** Reads a file of the API as a text. */
export async function readText(path: string, params: PathParams, query: object = {}): Promise<string> {
  const { data } = await loose.GET(path, { params: { path: params, query }, parseAs: 'text' })
  return data as string
}

/** A key under which a request is done once. `crypto.randomUUID` is for pages with https only. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** How often a request was sent under its key that may have done something: an answer that the network has lost is its own. */
export interface Tries {
  count: number
}

/** Creates an item, or does something to one. Under the same key it is done once. Returns what is created. */
export async function post(
  path: string,
  params: PathParams,
  body: object | undefined,
  key: string,
  tries: Tries = { count: 0 },
): Promise<Item> {
  const send: Send = async (request, init) => {
    tries.count++
    const answer = await fetch(request, init)
    if (NOT_BEGUN.has(answer.status)) tries.count--
    return answer
  }
  const { data } = await loose.POST(path, {
    params: { path: params, header: { [KEY]: key } },
    body,
    fetch: retrying(send, DEADLINE_MS),
  })
  tellChanged()
  const item = (data ?? {}) as Item
  made.add(item._id)
  return item
}

/** Changes fields of an item. */
export async function change(path: string, params: PathParams, body: object): Promise<void> {
  await loose.PUT(path, { params: { path: params }, body })
  tellChanged()
}

/** Deletes an item. */
export async function remove(path: string, params: PathParams, query: object = {}): Promise<undefined> {
  await loose.DELETE(path, { params: { path: params, query } })
  tellChanged()
}

/** What is wrong with an item of a batch, as if it had been sent alone; undefined if nothing is. */
export function refusalOf({ errors, codes }: Item): GatehouseError | undefined {
  return errors ? new GatehouseError(422, '', { errors, codes } as Pick<GatehouseError, 'errors' | 'codes'>) : undefined
}

/** The error as one of the server: whatever else went wrong is no answer. */
export function asRefusal(error: unknown): GatehouseError {
  return error instanceof GatehouseError ? error : new GatehouseError(0, String(error))
}
