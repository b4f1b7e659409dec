import type { Static, TObject, TSchema } from 'typebox'
import type { StoredList } from '../storage/raw-documents.ts'
import { Fault, type FieldErrors } from './faults.ts'

/** What a token may do. `admin` may do all, `read` reads, `door` scans, signs and looks up what a door device needs. */
export const scopes = ['admin', 'read', 'door'] as const
/** What a token may do, as one of `scopes`. */
export type Scope = (typeof scopes)[number]

/** Who is asking, as the gateway found it out; travels with every request. */
export interface Caller {
  account_id: string
  token_id: string
  scope: Scope
  /** The only event that the token may touch, if it is bound to one. */
  event_id?: string
}

/** The caller of what only a token's holder can ask. Throws `forbidden` where another service asks for itself. */
export function required(caller: Caller | undefined): Caller {
  if (!caller) throw new Fault('forbidden')
  return caller
}

/** Items that one batch may hold (413 beyond). */
export const MAX_BATCH = 10_000

/** 413: a batch holds more items than one may. */
export function tooManyItems(): Fault {
  return new Fault('too_large', `A batch may hold ${MAX_BATCH} items`)
}
/**
 * Throws `forbidden` where the caller's token is bound to an event other than this one. The gateway checks the event of a path; a handler that
 * changes another event checks that one with this.
 */
export function checkReach(caller: Caller | undefined, event_id: string): void {
  if (caller?.event_id !== undefined && caller.event_id !== event_id)
    throw new Fault('forbidden', 'The auth_token is bound to one event, and this would change another')
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** One thing that can be asked of a resource. Without `route` it is for the other services only. */
export interface Action {
  /** Method and path under `/api/v1/`, without the format suffix: `GET events/:event_id/guests/:id`. */
  route?: `${Method} ${string}`
  /** Other paths that do the same. The spelling without `events/` needs no mention. */
  also?: readonly string[]
  /** The least scope that may call it, besides admin. */
  scope?: 'read' | 'door'
  summary?: string
  query?: TObject
  /** The keys under which a body may be wrapped. */
  root?: string
  body?: TSchema
  /** Bytes that the body may hold, 256 KiB unless given; beyond it is 413. Of a form 1 MiB at most. */
  maxBytes?: number
  /** A list whose items are judged one by one: the handler gets each item or its errors, and the answer has the same order. */
  batch?: true
  /**
   * The handler checks more of the body than the schema can say, and one answer names all that is wrong: of a body that the schema
   * refuses it gets the fields that are right, of a batch item too (`Rejected.given`). The whole body is what `accept` gives.
   */
  checks?: true
  reply?: TSchema
  /** What the reply is called in XML, where it is none of the resource. */
  replyName?: string
  /** Milliseconds that who asks waits for the answer, where that may take longer than others (`deadline_ms`). */
  longestMs?: number
  /**
   * 200 unless told. With 204 the reply goes out only when `Prefer: return=representation` asks for it. With 302 the handler answers with a
   * `Redirect`.
   */
  status?: 200 | 201 | 204 | 302
  /** The reply goes out only when `Prefer: return=representation` asks for it, whatever the status. */
  quiet?: true
  /**
   * Takes no `auth_token`: this parameter of the path or the query holds a secret that tells who asks. The gateway lets it through, and
   * the handler checks it: `unauthorized`, or `not_found` where even that would tell too much.
   */
  secret?: string
  /**
   * The action that says which secrets are known (`leads.exhibitors.authenticate`), given their SHA-256. The gateway asks it before it
   * reads a body, and counts errors against a known secret instead of the address. Needed where an action with a secret has a body.
   */
  authenticator?: string
  /** The paths work without `/api/v1` too. */
  bare?: true
  /**
   * The suffixes that the path may end in besides json and xml (instead of them, without `reply`), with their media types. The handler
   * sees which was asked for in `format`, and answers one of these with a `Download`.
   */
  produces?: Readonly<Record<string, string>>
  /** The body is a file of one of these media types, not an object. The handler gets it as `upload`. */
  upload?: { types: readonly string[]; maxBytes: number }
  /** An action without route that changes nothing, so that it may be tried twice. */
  reads?: true
  /** The handler compares what is stored under an `Idempotency-Key` with what is asked. */
  comparesRetries?: true
  /** The handler keeps its own memory of `Idempotency-Key`; otherwise the service does (idempotency.ts). */
  ownRetries?: true
}

/** A resource as declared: the single source of its types, checks, subjects, routes, formats, API docs and table tests. */
export interface Resource<A extends Record<string, Action> = Record<string, Action>> {
  /** `service.resource`, as in its subjects. */
  name: string
  service: string
  /** The XML names: a list is `<many>` of `<one>`. */
  one: string
  many: string
  actions: A
}

/** Declares a resource. `name` is `service.resource`; `one` its singular and root key. */
export function resource<const A extends Record<string, Action>>(
  name: `${string}.${string}`,
  one: string,
  actions: A,
): Resource<A> {
  const [service = '', many = ''] = name.split('.')
  return { name, service, one, many, actions }
}

type PathNames<P> = P extends `${string}:${infer N}/${infer R}`
  ? N | PathNames<`/${R}`>
  : P extends `${string}:${infer N}`
    ? N
    : never
type Params<A extends Action> = { [N in PathNames<A['route']>]: string }
type Item<B> = B extends (infer I)[] ? I : never

/** An item of a batch that was refused; it goes out in its place. */
export interface Rejected<I = object> {
  errors: FieldErrors
  /** Its fields that are as the schema says; they do not go out. Absent where the item is no record. */
  given?: Partial<I>
}

/** Whether an item of a batch was refused. */
export function isRejected<I extends object>(item: I | Rejected<I>): item is Rejected<I> {
  return 'errors' in item
}

/** A refused item with what else is wrong with it; a field that the schema refuses keeps its errors. */
export function alsoWrong({ errors }: Rejected, found: FieldErrors): Rejected {
  return { errors: { ...found, ...errors } }
}

/** The body of an action, as its schema says it; of a batch the items or their errors. */
export type Body<A extends Action> = A['body'] extends TSchema
  ? A['batch'] extends true
    ? (Item<Static<A['body']>> | Rejected<Item<Static<A['body']>>>)[]
    : Static<A['body']>
  : undefined

/** What a handler gets at first: of a body that it checks itself, the fields that are right. */
type Given<A extends Action> = A['checks'] extends true
  ? A['batch'] extends true
    ? Body<A>
    : Partial<Body<A>>
  : Body<A>

/** A file as it goes out. */
export interface Download {
  bytes: Uint8Array
  /** Where it is not the one declared for the suffix. */
  content_type?: string
  /** Offered for saving under this name. */
  filename?: string
  /** Seconds that whoever asked may keep it; none unless told. */
  max_age?: number
}

/** Whether an answer is a file. */
export function isDownload(answer: unknown): answer is Download {
  return typeof answer === 'object' && answer !== null && 'bytes' in answer && answer.bytes instanceof Uint8Array
}

/** Where a file is, for an answer that leads there. */
export interface Redirect {
  /** An absolute URL, in ASCII. */
  location: string
}

/** Whether an answer leads to a file. */
export function isRedirect(answer: unknown): answer is Redirect {
  return typeof answer === 'object' && answer !== null && 'location' in answer && typeof answer.location === 'string'
}

/** A file as it came in. */
export interface Upload {
  bytes: Uint8Array
  content_type: string
}

/** What a handler gets. */
export interface Call<A extends Action = Action> {
  params: Params<A>
  query: A['query'] extends TObject ? Static<A['query']> : Record<never, never>
  body: Given<A>
  /**
   * The whole body, of an action that `checks`. Throws `invalid` with the given errors and those of the schema where there are any; only
   * then `further` is asked, for errors that the handler finds by itself where nothing else is wrong, when it stores say.
   */
  accept(errors?: FieldErrors, further?: () => Promise<FieldErrors>): Promise<Body<A>>
  upload: A['upload'] extends object ? Upload : undefined
  /** The suffix that was asked for. */
  format: string
  /** Absent when another service asks for itself. */
  caller: Caller | undefined
  idempotency_key: string | undefined
  traceparent: string | undefined
  /** Fresh `_id`s; with an `Idempotency-Key` the same ones at each try, so that a retry finds what the first try made. */
  newId(): string
  /** Set by a handler with `ownRetries` when it gives an earlier answer again. */
  replayed?: boolean
}

type Answer<A extends Action> = A['reply'] extends TSchema
  ? A['batch'] extends true
    ? (Item<Static<A['reply']>> | Rejected)[]
    : Static<A['reply']>
  : A['produces'] extends object
    ? never
    : undefined

/**
 * The handlers that a resource needs: one for each action, with its parameters and reply checked by the compiler. What is quiet
 * may give a function that makes the reply: it is called only where somebody wants to see it. A list may be given as it is stored.
 */
export type Handlers<R extends Resource> = {
  [N in keyof R['actions']]: (
    call: Call<R['actions'][N]>,
  ) => Promise<Answer<R['actions'][N]> | AsStored<R['actions'][N]> | Later<R['actions'][N]> | File<R['actions'][N]>>
}

type AsStored<A extends Action> = Answer<A> extends (infer I extends object)[] ? StoredList<NullsLeftOut<I>> : never
/** What may be null goes out as null where it is not stored. */
type NullsLeftOut<T> = { [N in keyof T as null extends T[N] ? never : N]: T[N] } & {
  [N in keyof T as null extends T[N] ? N : never]?: T[N]
}

type File<A extends Action> = A['produces'] extends object ? (A['status'] extends 302 ? Redirect : Download) : never
type Later<A extends Action> = A['status'] extends 204
  ? () => Promise<Answer<A>>
  : A['quiet'] extends true
    ? () => Promise<Answer<A>>
    : never

/** What a caller of an action gets, over the bus. */
export type Output<A extends Action> = Answer<A>

/** The bus subject of an action: `guests.guests.list`. */
export function subjectOf(resource: Resource, action: string): string {
  return `${resource.name}.${action}`
}

/** An action's HTTP method and all of its paths, the interface's two spellings included, without the format suffix. */
export function routesOf(action: Action): { method: Method; paths: string[] } | undefined {
  if (!action.route) return undefined
  const [method, path] = action.route.split(' ') as [Method, string]
  const paths = [path, ...(action.also ?? [])].flatMap((each) =>
    each.startsWith('events/:event_id/') ? [each, each.slice('events/'.length)] : [each],
  )
  const full = paths.map((each) => `/api/v1/${each}`)
  return { method, paths: action.bare ? [...full, ...paths.map((each) => `/${each}`)] : full }
}

/** The suffixes that an action's paths may end in. */
export function formatsOf({ reply, produces }: Action): string[] {
  return [...(reply || !produces ? ['json', 'xml'] : []), ...Object.keys(produces ?? {})]
}

/** Bytes that a body may hold where its declaration does not say. */
const DEFAULT_MAX_BYTES = 256 * 1024

/** Bytes that the body of an action may hold. */
export function maxBytesOf({ maxBytes, upload }: Action): number {
  return upload?.maxBytes ?? maxBytes ?? DEFAULT_MAX_BYTES
}

/** Whether a path is about one event, whose account must be the caller's. */
export function isEventScoped(action: Action): boolean {
  return (action.route?.includes(':event_id') ?? false) && !action.secret
}

/** Whether an action's reply goes out only to who asks for it. */
export function isQuiet({ quiet, status }: Action): boolean {
  return quiet === true || status === 204
}

/** The status of an action that went well. */
export function statusOf(action: Action): number {
  return action.status ?? 200
}
