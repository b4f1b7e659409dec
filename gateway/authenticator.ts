import { createHash } from 'node:crypto'
import { events } from '@gatehouse/guests/resources'
import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { coalesced } from '@gatehouse/proto/concurrency/coalescing.ts'
import { Fault, notFound, unavailable } from '@gatehouse/proto/declaring/faults.ts'
import { type Action, type Caller, isEventScoped, scopes } from '@gatehouse/proto/declaring/resource.ts'
import { parseJson } from '@gatehouse/proto/formats/json-reader.ts'
import { apiTokens } from '@gatehouse/sso/resources'
import { LRUCache } from 'lru-cache'

const TOKEN_TTL_MS = 30_000
const EVENT_ID = /^[0-9a-f]{24}$/
/** Lookups under way at once: of all who ask, and of one address, where a whole venue may ask at once after a restart. */
export const MAX_LOOKUPS = { total: 5_000, perAddress: 2_000 }

/** Who may do what: finds out whose token it is and whether the event is theirs, and caches both for a while. */
export class Authenticator {
  readonly #bus: Bus
  readonly #events
  readonly #resolve
  readonly #callers = new LRUCache<string, Caller>({ max: 10_000, ttl: TOKEN_TTL_MS })
  readonly #owners = new LRUCache<string, string>({ max: 10_000 })
  readonly #lookups = new Map<string, Promise<Caller | undefined>>()
  readonly #lookupsOf = new Map<string, number>()
  #lookupsUnderWay = 0
  readonly #secretLookups = new Map<string, (hash: string) => Promise<{ known: boolean }>>()
  readonly #knownSecrets = new LRUCache<string, true>({ max: 10_000, ttl: TOKEN_TTL_MS })
  #revocations = 0

  constructor(bus: Bus) {
    this.#bus = bus
    this.#events = clientOf(bus, events)
    const tokens = clientOf(bus, apiTokens)
    // However many devices come at once after a restart, they take a few lookups.
    this.#resolve = coalesced((hashes: string[]) => tokens.resolve({ body: { hashes } }))
    const forget = (): void => {
      this.#revocations++
      this.#callers.clear()
      this.#lookups.clear()
    }
    bus.listen('tokens', forget)
    bus.onReconnect(forget)
  }

  /** The caller of a token that was seen lately. */
  known(token: string): Caller | undefined {
    return this.#callers.get(token)
  }

  /**
   * The caller of a token, looked up once for all who ask at the same time; undefined when it is nobody's. Rejects with `unavailable` (503)
   * where too many lookups are under way, of all or of the address that asks.
   */
  async identify(token: string, address: string): Promise<Caller | undefined> {
    const underWay = this.#lookups.get(token)
    if (underWay) return underWay
    const ofAddress = this.#lookupsOf.get(address) ?? 0
    if (this.#lookupsUnderWay >= MAX_LOOKUPS.total || ofAddress >= MAX_LOOKUPS.perAddress) throw unavailable()
    this.#lookupsOf.set(address, ofAddress + 1)
    this.#lookupsUnderWay++
    const lookup = this.#lookUp(token).finally(() => {
      if (this.#lookups.get(token) === lookup) this.#lookups.delete(token)
      this.#lookupsUnderWay--
      const left = (this.#lookupsOf.get(address) ?? 1) - 1
      if (left > 0) this.#lookupsOf.set(address, left)
      else this.#lookupsOf.delete(address)
    })
    this.#lookups.set(token, lookup)
    return lookup
  }

  async #lookUp(token: string): Promise<Caller | undefined> {
    const revocations = this.#revocations
    const { caller } = await this.#resolve(hashOf(token))
    // A revocation that came meanwhile may be of this very token.
    if (caller && revocations === this.#revocations) this.#callers.set(token, caller)
    return caller
  }

  /**
   * Whether a secret in a path is known to the action that authenticates it (`leads.exhibitors.authenticate`). It may have been rolled in the
   * last half minute: the handler checks it again.
   */
  async knowsSecret(authenticator: string, secret: string): Promise<boolean> {
    const hash = hashOf(secret)
    const key = `${authenticator} ${hash}`
    if (this.#knownSecrets.has(key)) return true
    let authenticate = this.#secretLookups.get(authenticator)
    if (!authenticate) {
      authenticate = coalesced((hashes: string[]) => this.#ask(authenticator, hashes))
      this.#secretLookups.set(authenticator, authenticate)
    }
    const { known } = await authenticate(hash)
    if (known) this.#knownSecrets.set(key, true)
    return known
  }

  async #ask(authenticator: string, hashes: string[]): Promise<{ known: boolean }[]> {
    const { body } = await this.#bus.call(authenticator, {}, Buffer.from(JSON.stringify({ hashes })), true)
    return parseJson(body) as { known: boolean }[]
  }

  /** Checks that a caller may call an action, of one event where it is about one. Throws `not_found` for another account's. */
  async admit(caller: Caller, action: Action, eventId: string | undefined): Promise<void> {
    if (eventId !== undefined) {
      if (caller.event_id && caller.event_id !== eventId)
        throw new Fault('forbidden', 'The auth_token is bound to another event')
      if ((await this.#ownerOf(eventId)) !== caller.account_id) throw notFound()
    }
    if (!mayCall(caller, action)) throw new Fault('forbidden', missingRight(caller, action))
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

/** What a token lacks that may not call an action. */
function missingRight({ scope, event_id }: Caller, action: Action): string {
  const needed = scopes.filter((each) => mayCall({ scope: each }, action))
  if (needed.includes(scope) && event_id) return 'The auth_token is limited to one event; use an account-wide token'
  return `The auth_token has the scope ${scope}: this needs ${needed.join(' or ')}`
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

/** The token of a request: `auth_token` in the query, or `Authorization: Bearer`. */
export function tokenOf(query: Record<string, unknown>, authorization: string | undefined): string | undefined {
  const token = query.auth_token
  if (typeof token === 'string' && token !== '') return token
  return /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
}
