import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { growingCache } from '@gatehouse/proto/storage/growing-cache.ts'
import * as topics from '../topics.ts'

/** The longest life of a cached answer, in case an announcement is lost. */
const TTL_MS = 5_000
const CHANGE_TTL_MS = 60_000
const MAX_ANSWERS = 20_000
const MAX_CHANGES = 50_000

/** The contact of a token, and the answer for sites. */
export interface TokenContact {
  contact_id: string
  shown: object
  /** When the token or its session ends, in seconds since 1970. */
  exp: number
}

/**
 * A cache of answers about tokens. An answer depends on the contact, its sessions, grants and tokens, and the account's apps and contact
 * fields. A change of these is announced before it is answered, and reaches each process before requests that follow that answer. So a
 * cached answer is never older than one that is read (docs/adr/0011).
 */
export class TokenAnswerCache {
  readonly #answers = growingCache<{ contact: TokenContact; readAt: number }>(MAX_ANSWERS, { ttl: TTL_MS })
  /** The number of the last change of each contact and account, kept for longer than an answer is read and cached. */
  readonly #changes = growingCache<number>(MAX_CHANGES, {
    ttl: CHANGE_TTL_MS,
    dispose: (_change, _of, reason) => {
      if (reason === 'evict') this.invalidateAll()
    },
  })
  #lastChange = 0
  #allInvalidatedAt = 0

  /** Subscribes to changes in all processes. */
  subscribe(bus: Bus): void {
    const changed = (account_id: string): void => this.invalidate(account_id)
    for (const topic of [topics.accounts, topics.contacts, topics.oauthApps, topics.contactFields])
      bus.listen(topic, changed)
    for (const topic of [topics.voidTokens, topics.signIns]) {
      bus.listen(topic, ({ account_id, contact_id }) => this.invalidate(account_id, contact_id))
    }
    bus.onReconnect(() => this.invalidateAll())
  }

  /** Invalidates the answers about a contact, or about all of an account. */
  invalidate(account_id: string, contact_id?: string): void {
    this.#changes.set(contact_id === undefined ? account_id : `${account_id} ${contact_id}`, ++this.#lastChange)
  }

  /** Invalidates all answers. */
  invalidateAll(): void {
    this.#allInvalidatedAt = ++this.#lastChange
  }

  /** The number of the last change. Reads that start now include it. */
  get version(): number {
    return this.#lastChange
  }

  /** Caches the answer about a token; `readAt` is {@link version} from before it was read. */
  set(account_id: string, token: string, contact: TokenContact, readAt: number): void {
    this.#answers.set(`${account_id} ${token}`, { contact, readAt })
  }

  /** The cached answer about a token, if it is still valid. */
  get(account_id: string, token: string): object | undefined {
    const known = this.#answers.get(`${account_id} ${token}`)
    if (!known) return undefined
    const { contact, readAt } = known
    const changes = [account_id, `${account_id} ${contact.contact_id}`].map((of) => this.#changes.get(of) ?? 0)
    if (readAt < Math.max(this.#allInvalidatedAt, ...changes)) return undefined
    return contact.exp > Date.now() / 1000 ? contact.shown : undefined
  }
}
