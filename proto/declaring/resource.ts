import type { Static, TObject, TSchema } from 'typebox'
import { Fault, type FieldErrors } from './faults.ts'
import { record, type SchemaNode, wholeListQuery } from './fields.ts'

/** The scopes of tokens: `admin` may do everything, `read` reads, `door` scans, signs and looks up what a door device needs. */
export const scopes = ['admin', 'read', 'door'] as const
export type Scope = (typeof scopes)[number]

/** The roles of staff members, who use the console: each may do what those after it may, and more. */
export const roles = ['owner', 'organizer', 'door_manager', 'viewer'] as const
export type Role = (typeof roles)[number]

/** The authenticated caller; travels with every request. */
export interface Caller {
  account_id: string
  token_id: string
  scope: Scope
  /** The only event that the token may touch, if it is bound to one. */
  event_id?: string
  /** The only check-in points of that event at which it may scan, if it is bound to some. */
  accesspoint_ids?: string[]
  /** Of a staff member, whose id `token_id` then is; tokens have none. */
  role?: Role
  /** It is the token of a device, whose id `token_id` then is. */
  is_device?: boolean
}

/** The caller of an action for token holders only. Throws `forbidden` for a request of another service. */
export function required(caller: Caller | undefined): Caller {
  if (!caller) throw new Fault('forbidden')
  return caller
}

/** Maximum of items in a batch. */
export const MAX_BATCH = 10_000

/** 413: a batch holds too many items. */
export function tooManyItems(): Fault {
  return new Fault('too_large', `A batch may have at most ${MAX_BATCH} items`)
}

/**
 * Throws `forbidden` if the caller's token is bound to another event. The gateway checks the event of a path; a handler that changes a further
 * event checks it with this function.
 */
export function checkReach(caller: Caller | undefined, event_id: string): void {
  if (caller?.event_id !== undefined && caller.event_id !== event_id)
    throw new Fault('forbidden', 'The auth_token is bound to one event, and this would change another')
}

type HttpMethod = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** An action of a resource. Without `route` it is for other services only. */
export interface Action {
  /** Method and path under `/api/v1/`, without the format suffix: `GET events/:event_id/guests/:id`. */
  route?: `${HttpMethod} ${string}`
  /** Other paths of the action. The spelling without `events/` is implied. */
  also?: readonly string[]
  /** The tokens that may call it besides those of `admin`, which is the default: `read` those, if it is a GET; `door` devices too. */
  scope?: 'read' | 'door'
  /** The least role that may call it, where that does not follow from scope and method ({@link leastRoleOf}). */
  role?: Role
  summary?: string
  query?: TObject
  /** A further key under which the body may be wrapped, besides `one` and `many`. */
  root?: string
  body?: TSchema
  /** The maximum size of the body in bytes, by default 256 KiB; for a form at most 1 MiB. */
  maxBytes?: number
  /** The body is a list whose items are validated one by one: the handler gets each item or its errors, and the answer has the same order. */
  batch?: true
  /**
   * The handler checks more than the schema says, and one answer names all errors: of a body (or batch item: `Rejected.given`) that the schema
   * refuses, the handler gets the valid fields. `accept` gives the whole body.
   */
  checks?: true
  reply?: TSchema
  /** The name of the reply in XML, if it is not that of the resource. */
  replyName?: string
  /** The deadline in ms, for an action that may take longer than `deadline_ms`. A batch has four times as long anyway. */
  longestMs?: number
  /** It has as long as a batch: it asks other services one after the other, or nobody could tell what became of work whose answer is lost. */
  long?: true
  /**
   * By default 200. With 204 the reply is sent only on `Prefer: return=representation`. With 302 the handler answers with a `Redirect`.
   */
  status?: 200 | 201 | 204 | 302
  /** The reply is sent only on `Prefer: return=representation`. */
  quiet?: true
  /**
   * Instead of an `auth_token` this parameter of path or query authenticates. The handler checks it, and refuses with `unauthorized`, or with
   * `not_found` if that would reveal too much. A path of `also` without it takes it as `Authorization: Bearer`.
   */
  secret?: string
  /**
   * The action that tells whether a secret is known, by its SHA-256 (`leads.exhibitors.authenticate`). The gateway calls it before it reads a
   * body, and then counts errors against the secret instead of the address. Required for an action with `secret` and body.
   */
  authenticator?: string
  /** The paths work without `/api/v1` too. */
  bare?: true
  /**
   * Further suffixes of the path, with their media types; without `reply` they replace json and xml. The handler finds the suffix in `format`,
   * and answers one of these with a `Download`.
   */
  produces?: Readonly<Record<string, string>>
  /**
   * The file comes in parts, so that nobody has to hold all of it: the handler finds the part in `part`, and answers with a `Download` that has
   * `next` while there are more. The gateway asks for each when the client has taken those before it.
   */
  parts?: true
  /** The body is a file of one of these media types, not an object. The handler gets it as `upload`. */
  upload?: { types: readonly string[]; maxBytes: number }
  /** Of an action without route: it changes nothing, so that it may be tried twice. */
  reads?: true
  /** It may be called though its event is archived: what devices have still to tell, and what takes access or personal data away. */
  whileArchived?: true
  /** The audit log records it though not only an admin may call it. */
  audited?: true
  /** Why the audit log does not record requests that only an admin may make and which write; it records all others (proto/audit). */
  unaudited?: string
  /** The suffixes in which an action that reads is an export of personal data, which the audit log records. */
  exports?: readonly string[]
  /** The handler compares the request with the one stored under its `Idempotency-Key`. */
  comparesRetries?: true
  /** The handler itself remembers each `Idempotency-Key`; otherwise storage/idempotency.ts does. */
  ownRetries?: true
  /**
   * What it creates is stored under ids of `newId` or of the request's content, so that a request that reaches two processes changes nothing twice.
   * The gateway sends it to another process when one has not answered for a second.
   */
  recognisesRequests?: true
  /**
   * Somebody at the check-in point that its body names (`accesspoint_id`) waits for the answer: spans and the log name the point, and the time
   * that it takes is counted (checkin's scan_times).
   */
  atPoint?: true
}

/** The declaration of a resource: the single source of its types, validation, subjects, routes, formats, API docs and table tests. */
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
  const declared = Object.entries(actions).map(([action, each]) => [action, withPage(each)])
  return { name, service, one, many, actions: Object.fromEntries(declared) as A }
}

/** Whether an action answers with a list that has no pages. */
function isWholeList({ route, reply, query }: Action): boolean {
  const isList = route?.startsWith('GET ') && (reply as SchemaNode | undefined)?.type === 'array'
  return isList === true && (query?.properties.page ?? wholeListQuery.page) === wholeListQuery.page
}

/** The action, with the `page` of a whole list if it is one. */
function withPage(action: Action): Action {
  return isWholeList(action) ? { ...action, query: record({ ...action.query?.properties, ...wholeListQuery }) } : action
}

/** The query without the `page` of a whole list, which handlers do not know, and whether that is past the list's only page. */
export function withoutPage(action: Action, query: object): { query: object; isPastTheEnd: boolean } {
  if (!isWholeList(action)) return { query, isPastTheEnd: false }
  const { page, ...rest } = query as { page: number }
  return { query: rest, isPastTheEnd: page > 1 }
}

/** The resources among what a module exports, in alphabetical order. */
export function resourcesIn(module: object): Resource[] {
  return Object.values(module).filter((value) => typeof value === 'object' && 'actions' in value)
}

type PathNames<P> = P extends `${string}:${infer N}/${infer R}`
  ? N | PathNames<`/${R}`>
  : P extends `${string}:${infer N}`
    ? N
    : never
type Params<A extends Action> = { [N in PathNames<A['route']>]: string }
type ItemOf<B> = B extends (infer I)[] ? I : never

/** A refused item of a batch; the answer has it in the item's place. */
export interface Rejected<I = object> {
  errors: FieldErrors
  /** Its valid fields, which are not sent. Absent if the item is not a record. */
  given?: Partial<I>
}

/** Whether an item of a batch was refused. */
export function isRejected<I extends object>(item: I | Rejected<I>): item is Rejected<I> {
  return 'errors' in item
}

/** A refused item with further errors; a field that the schema refuses keeps its errors. */
export function alsoWrong({ errors }: Rejected, found: FieldErrors): Rejected {
  return { errors: { ...found, ...errors } }
}

/** The body of an action by its schema; of a batch the items or their errors. */
export type Body<A extends Action> = A['body'] extends TSchema
  ? A['batch'] extends true
    ? (ItemOf<Static<A['body']>> | Rejected<ItemOf<Static<A['body']>>>)[]
    : Static<A['body']>
  : undefined

/** The body that a handler gets; only the valid fields for an action that `checks`. */
type HandlerBody<A extends Action> = A['checks'] extends true
  ? A['batch'] extends true
    ? Body<A>
    : Partial<Body<A>>
  : Body<A>

/** Which part of a file is asked for. */
export interface Part {
  /** The same for all parts of a file. */
  file: string
  /** What the part before named; absent for the first. */
  after?: string
  /** The client has gone: nobody will ask for more. */
  is_given_up?: boolean
}

/** The part after a part. */
export interface NextPart {
  /** Where it begins, as the handler likes; at most 2,000 bytes. */
  after: string
  /** Milliseconds to wait before it is asked for, for other work. */
  pause_ms: number
}

/** A file to send. */
export interface Download {
  bytes: Uint8Array
  /** If it is not the one declared for the suffix. */
  content_type?: string
  /** Offered for saving under this name. */
  filename?: string
  /** Seconds for which clients may cache it; default 0. */
  max_age?: number
  /** Whoever passes it on may cache it too: it is the same for everybody, and never changes. */
  is_public?: true
  /** The same for the same bytes, with its quotes: a client that has them gets 304. */
  etag?: string
  /** What follows these bytes, of an action that answers in `parts`; the file ends without it. */
  next?: NextPart
  /** The bytes are compressed: clients that do not accept that get them as they were. */
  content_encoding?: 'gzip'
}

/** Whether an answer is a file. */
export function isDownload(answer: unknown): answer is Download {
  return typeof answer === 'object' && answer !== null && 'bytes' in answer && answer.bytes instanceof Uint8Array
}

/** An answer that redirects to a file. */
export interface Redirect {
  /** An absolute URL, in ASCII. */
  location: string
}

/** Whether an answer is a redirect. */
export function isRedirect(answer: unknown): answer is Redirect {
  return typeof answer === 'object' && answer !== null && 'location' in answer && typeof answer.location === 'string'
}

/** A received file. */
export interface Upload {
  bytes: Uint8Array
  content_type: string
}

/** The argument of a handler. */
export interface Call<A extends Action = Action> {
  params: Params<A>
  query: A['query'] extends TObject ? Static<A['query']> : Record<never, never>
  body: HandlerBody<A>
  /**
   * The whole body, for an action that `checks`. Throws `invalid` if the handler or the schema found errors. Only then it calls `further`, for
   * errors that the handler otherwise finds later, such as when it stores.
   */
  accept(errors?: FieldErrors, further?: () => Promise<FieldErrors>): Promise<Body<A>>
  upload: A['upload'] extends object ? Upload : undefined
  part: A['parts'] extends true ? Part : undefined
  /** The suffix of the path. */
  format: string
  /** Absent for a request of another service. */
  caller: Caller | undefined
  /** Who does an administrative act: the name of the token, or of the staff member. */
  actor: string | undefined
  idempotency_key: string | undefined
  /** The same for each time the gateway sends this request ({@link Action.recognisesRequests}). */
  request_id: string | undefined
  traceparent: string | undefined
  /**
   * Returns new `_id`s; with an `Idempotency-Key` the same ones for each try, so that a retry finds things made by the first try, and with a
   * `request_id` for each process that gets the request.
   */
  newId(): string
  /** Set by a handler with `ownRetries` when it repeats an earlier answer. */
  replayed?: boolean
}

/** The reply of an action over the bus. */
export type Output<A extends Action> = A['reply'] extends TSchema
  ? A['batch'] extends true
    ? (ItemOf<Static<A['reply']>> | Rejected)[]
    : Static<A['reply']>
  : A['produces'] extends object
    ? never
    : undefined

/**
 * The handlers of a resource, one for each action. A handler of a quiet action may give a function that makes the reply; it is called only if
 * the reply is sent. A list may be given as it is stored.
 */
export type Handlers<R extends Resource> = {
  [N in keyof R['actions']]: (
    call: Call<R['actions'][N]>,
  ) => Promise<
    Output<R['actions'][N]> | AsStored<R['actions'][N]> | Later<R['actions'][N]> | FileAnswer<R['actions'][N]>
  >
}

/** The actions of a resource as functions that can be jumped to, each in a file of its name; `D` is what they depend on. */
export type Actions<R extends Resource, D> = {
  [N in keyof R['actions']]: (dependencies: D, call: Call<R['actions'][N]>) => ReturnType<Handlers<R>[N]>
}

/** Returns the handlers of a resource: its actions with their dependencies. */
export function handlersOf<R extends Resource, D>(actions: Actions<R, D>, dependencies: D): Handlers<R> {
  const handlers = Object.entries(actions).map(([name, action]) => [name, (call: Call) => action(dependencies, call)])
  return Object.fromEntries(handlers)
}

/** A list as it is stored (formats/raw-documents.ts). */
interface StoredDocuments<T> {
  readonly documents: readonly Uint8Array[]
  decoded(): T[]
}

type AsStored<A extends Action> =
  Output<A> extends (infer I extends object)[] ? StoredDocuments<NullsLeftOut<I>> : never
/** Fields that are not stored are sent as null if they may be null. */
type NullsLeftOut<T> = { [N in keyof T as null extends T[N] ? never : N]: T[N] } & {
  [N in keyof T as null extends T[N] ? N : never]?: T[N]
}

type FileAnswer<A extends Action> = A['produces'] extends object
  ? A['status'] extends 302
    ? Redirect
    : Download
  : never
type Later<A extends Action> = A['status'] extends 204
  ? () => Promise<Output<A>>
  : A['quiet'] extends true
    ? () => Promise<Output<A>>
    : never

/** The bus subject of an action: `guests.guests.list`. */
export function subjectOf(resource: Resource, action: string): string {
  return `${resource.name}.${action}`
}

/** An action's HTTP method and all its paths, in both spellings of the interface, without suffix. */
export function routesOf(action: Action): { method: HttpMethod; paths: string[] } | undefined {
  if (!action.route) return undefined
  const [method, path] = action.route.split(' ') as [HttpMethod, string]
  const paths = [path, ...(action.also ?? [])].flatMap((each) =>
    each.startsWith('events/:event_id/') ? [each, each.slice('events/'.length)] : [each],
  )
  const full = paths.map((each) => `/api/v1/${each}`)
  return { method, paths: action.bare ? [...full, ...paths.map((each) => `/${each}`)] : full }
}

/** The suffixes of an action's paths. */
export function formatsOf({ reply, produces }: Action): string[] {
  return [...(reply || !produces ? ['json', 'xml'] : []), ...Object.keys(produces ?? {})]
}

const DEFAULT_MAX_BYTES = 256 * 1024

/** How many times the deadline of a single request a batch has, which yields to those, and an action that is `long`. */
const LONG_DEADLINES = 4

/** The deadline of an action in ms, where that of a single request is `deadlineMs`. */
export function deadlineOf({ longestMs, batch, long }: Action, deadlineMs: number): number {
  return longestMs ?? (batch || long ? LONG_DEADLINES * deadlineMs : deadlineMs)
}

/** The maximum size of an action's body in bytes. */
export function maxBytesOf({ maxBytes, upload }: Action): number {
  return upload?.maxBytes ?? maxBytes ?? DEFAULT_MAX_BYTES
}

/**
 * The least role of staff members that may call an action in a format: viewers what tokens of the scope `read` may, door managers what those of
 * `door` may besides, and exports; organizers the rest.
 */
export function leastRoleOf({ role, scope, route, exports }: Action, format: string): Role {
  if (role) return role
  if (scope === undefined) return 'organizer'
  return route?.startsWith('GET ') && !exports?.includes(format) ? 'viewer' : 'door_manager'
}

/** Whether an action is about one event, which must belong to the caller's account. */
export function isEventScoped(action: Action): boolean {
  return (action.route?.includes(':event_id') ?? false) && !action.secret
}

/** Whether an action's reply is sent only on request. */
export function isQuiet({ quiet, status }: Action): boolean {
  return quiet === true || status === 204
}

/** The status of a successful action. */
export function statusOf(action: Action): number {
  return action.status ?? 200
}
