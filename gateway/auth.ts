import { createHash } from 'node:crypto'
import { events } from '@gatehouse/guests/resources'
import type { Bus } from '@gatehouse/proto/bus.ts'
import { clientOf } from '@gatehouse/proto/calls.ts'
import { Fault, notFound } from '@gatehouse/proto/faults.ts'
import { type Action, type Caller, isEventScoped } from '@gatehouse/proto/resource.ts'
import { apiTokens } from '@gatehouse/sso/resources'
import { LRUCache } from 'lru-cache'

const TOKEN_TTL_MS = 30_000
const EVENT_ID = /^[0-9a-f]{24}$/

/** Who may do what: finds out whose token it is and whether the event is theirs, and remembers both for a while. */
export class Gatekeeper {
  readonly #tokens
  readonly #events
  readonly #callers = new LRUCache<string, Caller>({ max: 10_000, ttl: TOKEN_TTL_MS })
  /** Tokens that were somebody's when they were last looked up. It gives no right: it only tells a device from a guess. */
  readonly #familiar = new LRUCache<string, true>({ max: 10_000 })
  readonly #owners = new LRUCache<string, string>({ max: 10_000 })
  readonly #asking = new Map<string, Promise<Caller>>()
  #revocations = 0

  constructor(bus: Bus) {
    this.#tokens = clientOf(bus, apiTokens)
    this.#events = clientOf(bus, events)
    const forget = (): void => {
      this.#revocations++
      this.#callers.clear()
      this.#asking.clear()
    }
    bus.listen('tokens', forget)
    bus.onReconnect(forget)
  }

  /** The caller of a token that was seen lately. */
  known(token: string): Caller | undefined {
    return this.#callers.get(token)
  }

  /** Whether a token was somebody's when it was last looked up, so that looking it up again is no guessing. */
  isFamiliar(token: string): boolean {
    return this.#familiar.has(token)
  }

  /** The caller of a token. Throws `forbidden` (403) when it is nobody's. */
  identify(token: string): Promise<Caller> {
    const asking = this.#asking.get(token)
    if (asking) return asking
    const answer = this.#resolve(token).finally(() => {
      if (this.#asking.get(token) === answer) this.#asking.delete(token)
    })
    this.#asking.set(token, answer)
    return answer
  }

  async #resolve(token: string): Promise<Caller> {
    const revocations = this.#revocations
    const hash = createHash('sha256').update(token).digest('hex')
    const { caller } = await this.#tokens.resolve({ body: { hash } })
    if (!caller) {
      this.#familiar.delete(token)
      throw new Fault('forbidden')
    }
    this.#familiar.set(token, true)
    // A revocation that came meanwhile may be of this very token.
    if (revocations === this.#revocations) this.#callers.set(token, caller)
    return caller
  }

  /** Checks that a caller may call an action, of one event where it is about one. Throws `not_found` for another account's. */
  async admit(caller: Caller, action: Action, eventId: string | undefined): Promise<void> {
    if (eventId !== undefined) {
      if (caller.event_id && caller.event_id !== eventId) throw new Fault('forbidden')
      if ((await this.#ownerOf(eventId)) !== caller.account_id) throw notFound()
    }
    if (!mayCall(caller, action)) throw new Fault('forbidden')
  }

  async #ownerOf(eventId: string): Promise<string | null> {
    if (!EVENT_ID.test(eventId)) return null
    const known = this.#owners.get(eventId)
    if (known) return known
    const { account_id } = await this.#events.owner({ body: { event_id: eventId } })
    // An event never changes hands, so what is found is kept; what is missing may be made later.
    if (account_id) this.#owners.set(eventId, account_id)
    return account_id
  }
}

/**
 * `admin` may call anything; `read` what only reads; `door` what is declared for the door. A token bound to an event administers
 * that event and not its account, whose tokens would lead beyond.
 */
export function mayCall({ scope, event_id }: Pick<Caller, 'scope' | 'event_id'>, action: Action): boolean {
  if (event_id !== undefined && action.scope === undefined && !isEventScoped(action)) return false
  if (scope === 'admin') return true
  if (scope === 'door') return action.scope === 'door'
  return action.scope !== undefined && (action.route?.startsWith('GET ') ?? false)
}

/** The token of a request: `auth_token` in the query, or `Authorization: Bearer`. */
export function tokenOf(query: Record<string, unknown>, authorization: string | undefined): string | undefined {
  const token = query.auth_token
  if (typeof token === 'string' && token !== '') return token
  return /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
}
