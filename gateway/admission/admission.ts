import { hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import * as guestTopics from '@gatehouse/guests/topics'
import type { Askable, Bus } from '@gatehouse/proto/bus/bus.ts'
import { Counts } from '@gatehouse/proto/concurrency/counts.ts'
import { AccountMoving, conflict, Fault, notFound, unavailable } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import {
  type Action,
  type Caller,
  isEventScoped,
  leastRoleOf,
  roles,
  scopes,
} from '@gatehouse/proto/declaring/resource.ts'
import { networkOf } from '@gatehouse/proto/process/network.ts'
import { growingCache } from '@gatehouse/proto/storage/growing-cache.ts'
import { countLookups } from '@gatehouse/proto/telemetry/metrics.ts'
import { SESSION_PREFIX } from '@gatehouse/sso/resources'
import * as ssoTopics from '@gatehouse/sso/topics'
import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import { distrustConnection, trustConnection } from '../http/connections.ts'
import { formatOf, isOfConsole, tokenOf } from '../http/request.ts'
import { workOf } from '../overload/work.ts'
import { Homes } from './homes.ts'
import type { Limiter } from './limits.ts'
import { askCells } from './strangers.ts'

const TOKEN_TTL_MS = 30_000
/** How often a request looks where its account lives while that is moving. */
const MOVING_PAUSE_MS = 50
const EVENT_ID = /^[0-9a-f]{24}$/
/** Token lookups under way at once, in total and of one address: a whole venue may come at once after a restart. */
export const MAX_LOOKUPS = { total: 5_000, perAddress: 2_000 }

/** What is known of an event: whose it is, and whether it is archived. */
interface EventFacts {
  account_id: string | null
  archived?: boolean
}

const NO_EVENT: EventFacts = { account_id: null }

/** Where an admitted request keeps its caller. */
export const CALLER = Symbol('caller')

/** A request whose caller is known, unless it came with a secret. */
export interface Admitted extends FastifyRequest {
  [CALLER]?: Caller
}

/** Admits requests with a token: finds out whose it is, counts the request, and checks that the caller may call the action. */
export class Admission {
  readonly #limiter: Limiter
  readonly #homes: Homes
  readonly #bus: Bus
  readonly #callers = growingCache<Caller>(10_000, { ttl: TOKEN_TTL_MS })
  readonly #facts = growingCache<EventFacts>(10_000)
  /** Tokens that were valid when they were last looked up: guesses from their address do not keep these from being looked up again. */
  readonly #once = growingCache<true>(10_000)
  /** The names of tokens, which only records of administrative acts need: they do not travel with every request. */
  readonly #names = new WeakMap<Caller, string>()
  readonly #answeringUpdates = new WeakSet<Caller>()
  readonly #lookups = new Map<string, Promise<Caller | undefined>>()
  readonly #lookupsOf = new Counts()
  #lookupsUnderWay = 0
  #revocations = 0
  #archivings = 0

  constructor(bus: Bus, limiter: Limiter) {
    this.#limiter = limiter
    this.#homes = new Homes(bus)
    this.#bus = bus
    const forget = (): void => {
      this.#revocations++
      this.#callers.clear()
      this.#lookups.clear()
    }
    bus.listen(ssoTopics.tokens, forget)
    bus.onReconnect(forget)
    bus.listen(guestTopics.archived, ({ event_id }) => {
      this.#archivings++
      this.#facts.delete(event_id)
    })
    bus.onReconnect(() => {
      this.#archivings++
      this.#facts.clear()
    })
  }

  /** The hook that admits the requests of an action. */
  hookOf(action: Action): onRequestAsyncHookHandler {
    const isScoped = isEventScoped(action)
    return async (request: Admitted, reply) => {
      const caller = await this.authenticate(request, reply, action)
      const { event_id } = request.params as { event_id?: string }
      await this.authorize(caller, action, isScoped ? event_id : undefined, formatOf(request.raw))
      request[CALLER] = caller
    }
  }

  /**
   * The caller of a request for an action. Throws `forbidden` (403) without a valid token, `unauthorized` (401) without a session of the console,
   * `too_many` (429) beyond a limit.
   */
  async authenticate(request: FastifyRequest, reply: FastifyReply, action: Action): Promise<Caller> {
    const token = tokenOf(request)
    if (!token) throw missing(request)
    const known = this.known(token)
    countLookups('tokens', known ? 1 : 0, known ? 0 : 1)
    const caller = known ?? (await this.#identified(token, request, reply))
    if (!caller) {
      distrustConnection(request.raw)
      this.#limiter.guessed(request, reply)
      throw isOfConsole(request) ? missing(request) : new Fault('forbidden', 'The auth_token is not valid')
    }
    trustConnection(request.raw, caller.token_id)
    this.#limiter.token(caller, isForDoor(action, caller), reply)
    return caller
  }

  /** As {@link identify}; a revoked token counts as a guess. */
  async #identified(token: string, request: FastifyRequest, reply: FastifyReply): Promise<Caller | undefined> {
    try {
      return await this.identify(token, networkOf(request.ip))
    } catch (error) {
      if (error instanceof Fault && error.code === 'unauthorized') {
        distrustConnection(request.raw)
        this.#limiter.guessed(request, reply)
      }
      throw error
    }
  }

  /** The name of a caller's token. */
  nameOf(caller: Caller): string {
    return this.#names.get(caller) ?? ''
  }

  /** Whether the answers to a caller's changes hold the object unless the request says otherwise. */
  answersUpdates(caller: Caller): boolean {
    return this.#answeringUpdates.has(caller)
  }

  /** The caller of a token, if it is cached. */
  known(token: string): Caller | undefined {
    return this.#callers.get(token)
  }

  /**
   * The caller of a token; undefined if the token is not valid. Concurrent requests with a token share one lookup. Rejects with `unauthorized`
   * (401) if it is that of a revoked device, which then knows that it shall forget what it holds, and with `unavailable` (503) if too many
   * lookups are under way, in total or of this address, and the token was not valid before.
   */
  async identify(token: string, address: string): Promise<Caller | undefined> {
    const underWay = this.#lookups.get(token)
    if (underWay) return underWay
    const isFull = this.#lookupsUnderWay >= MAX_LOOKUPS.total || this.#lookupsOf.of(address) >= MAX_LOOKUPS.perAddress
    if (isFull && !this.#once.has(token)) throw unavailable()
    this.#lookupsOf.add(address, 1)
    this.#lookupsUnderWay++
    const lookup = this.#lookUp(token).finally(() => {
      if (this.#lookups.get(token) === lookup) this.#lookups.delete(token)
      this.#lookupsUnderWay--
      this.#lookupsOf.add(address, -1)
    })
    this.#lookups.set(token, lookup)
    return lookup
  }

  /** The caller of a token with which something stays open: as {@link identify}, but that is no use of a session of the console. */
  async stillAt(token: string): Promise<Caller | undefined> {
    if (!token.startsWith(SESSION_PREFIX)) return this.known(token) ?? this.identify(token, 'live feeds')
    // Not cached: the next request is a use, which sso has to learn.
    return (await this.#homes.resolved(hash('sha256', token), 'look')).caller
  }

  async #lookUp(token: string): Promise<Caller | undefined> {
    const revocations = this.#revocations
    const resolved = await whileMoving(this.#bus.deadlineMs, () => this.#homes.resolved(hash('sha256', token)))
    const { caller, name = '', answers_updates, is_revoked_device } = resolved
    if (is_revoked_device) throw new Fault('unauthorized', 'The device is revoked')
    if (caller) this.#once.set(token, true)
    else this.#once.delete(token)
    if (caller) this.#names.set(caller, name)
    if (caller && answers_updates) this.#answeringUpdates.add(caller)
    // This very token may have been revoked meanwhile.
    if (caller && revocations === this.#revocations) this.#callers.set(token, caller)
    return caller
  }

  /**
   * Checks that a caller may call an action, of this event if one is given. Throws `forbidden` (403), `not_found` (404) for the event of another
   * account, or `conflict` (409) for a change of an archived event.
   */
  async authorize(caller: Caller, action: Action, eventId: string | undefined, format = ''): Promise<void> {
    if (eventId !== undefined) {
      if (caller.event_id && caller.event_id !== eventId)
        throw new Fault('forbidden', `The ${caller.role ? 'staff member' : 'auth_token'} is bound to another event`)
    }
    const event = eventId === undefined ? undefined : await this.#factsOf(caller, eventId)
    if (event && event.account_id !== caller.account_id) throw notFound()
    if (!mayCall(caller, action, format)) throw new Fault('forbidden', missingRight(caller, action, format))
    if (event?.archived && !action.whileArchived && !action.route?.startsWith('GET '))
      throw conflict(messageOf('event_archived'))
  }

  /** Whether a caller's account lives in another cell. */
  isForeign(caller: Caller | undefined): boolean {
    return caller !== undefined && this.#homes.isForeign(caller)
  }

  /** Whom to ask for a caller whose account lives in another cell. */
  foreignHomeOf(caller: Caller): Askable | undefined {
    return this.#homes.isForeign(caller) ? this.#homes.busFor(caller) : undefined
  }

  /** Asks the cell where the account of a caller lives, or of a secret. While it is moving that is looked up again, until `budget` ms have passed. */
  async atHome<T>(request: Admitted, budget: number, ask: (bus: Askable, budget: number) => Promise<T>): Promise<T> {
    if (!this.#homes.areSeveral) return ask(this.#homes.busFor(undefined), budget)
    if (!request[CALLER]) return whileMoving(budget, (left) => askCells(this.#bus, (cell) => ask(cell, left)))
    const token = tokenOf(request)
    return whileMoving(budget, async (left, isFirst) => {
      if (token && !isFirst) {
        if (this.known(token) === request[CALLER]) this.#callers.delete(token)
        const caller = this.known(token) ?? (await this.identify(token, networkOf(request.ip)))
        if (!caller) throw new AccountMoving()
        request[CALLER] = caller
      }
      return ask(this.#homes.busFor(request[CALLER]), left)
    })
  }

  async #factsOf(caller: Caller, eventId: string): Promise<EventFacts> {
    if (!EVENT_ID.test(eventId)) return NO_EVENT
    const known = this.#facts.get(eventId)
    countLookups('events', known ? 1 : 0, known ? 0 : 1)
    if (known) return known
    const archivings = this.#archivings
    const facts = await this.#homes.ownerOf(caller, eventId)
    // A missing event may be created later, and this very one may have been archived meanwhile.
    if (facts.account_id && archivings === this.#archivings) this.#facts.set(eventId, facts)
    return facts
  }
}

/** Asks again while an account is moving, until `budget` ms have passed. `ask` gets what is left of them. */
async function whileMoving<T>(budget: number, ask: (left: number, isFirst: boolean) => Promise<T>): Promise<T> {
  const until = performance.now() + budget
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await ask(Math.max(1, until - performance.now()), isFirst)
    } catch (error) {
      if (!(error instanceof AccountMoving) || performance.now() + MOVING_PAUSE_MS > until) throw error
      await sleep(MOVING_PAUSE_MS)
    }
  }
}

/** Whether a request counts in the door's budget: all requests of a door token, and those of other tokens for the door. */
function isForDoor(action: Action, { scope }: Caller): boolean {
  return scope === 'door' || workOf(action) === 'door'
}

/** The refusal of a request without a token or session. */
function missing(request: FastifyRequest): Fault {
  return isOfConsole(request)
    ? new Fault('unauthorized', 'You are not signed in to the console')
    : new Fault('forbidden', 'The auth_token is missing')
}

type CallerRights = Pick<Caller, 'scope' | 'event_id' | 'role'>

/**
 * Whether a caller may call an action: a token of the scope `admin` may call all, `read` those that only read, `door` those declared for the
 * door; a staff member those of its role and of the roles below. Who is bound to an event administers that event and not its account, whose tokens
 * would reach further.
 */
export function mayCall({ scope, event_id, role }: CallerRights, action: Action, format = ''): boolean {
  if (event_id !== undefined && action.scope === undefined && !isEventScoped(action)) return false
  if (role) return roles.indexOf(role) <= roles.indexOf(leastRoleOf(action, format))
  if (scope === 'admin') return true
  if (scope === 'door') return action.scope === 'door'
  return action.scope !== undefined && (action.route?.startsWith('GET ') ?? false)
}

/** The sentence that says why a caller may not call an action. */
function missingRight({ scope, event_id, role }: Caller, action: Action, format: string): string {
  const own = role ? { role } : {}
  const isBound = event_id !== undefined && mayCall({ scope, ...own }, action, format)
  if (role) {
    const least = leastRoleOf(action, format)
    return isBound
      ? 'The staff member is limited to one event'
      : `The staff member has the role ${role}: this needs ${least}`
  }
  if (isBound) return 'The auth_token is limited to one event; use an account-wide token'
  const needed = scopes.filter((each) => mayCall({ scope: each }, action))
  return `The auth_token has the scope ${scope}: this needs ${needed.join(' or ')}`
}
