import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { LRUCache } from 'lru-cache'
import { topics } from '../account-cache.ts'
import { ENDED_SIGN_INS, type EndedSignIn } from '../ended-sign-ins.ts'

/** The topic of the bus under which every sso process hears that a token may be void. */
const VOID = 'void'
/** What was said lives this long at most, should an announcement ever be lost. */
const TTL_MS = 5_000
const CHANGE_TTL_MS = 60_000
const MAX_ANSWERS = 20_000
const MAX_CHANGES = 50_000

/** The contact of a token, as sites see it. */
export interface TokenContact {
  contact_id: string
  shown: object
  /** When the token or its session ends, in seconds since 1970. */
  exp: number
}

/**
 * What was said of tokens lately, for as long as nothing changes that it rests on: the contact, its sessions, grants and tokens, the
 * account's apps and contact fields. Whoever changes one of these announces it before answering, and every process hears it before a
 * request that comes after that answer; so what is remembered is as good as read anew (docs/adr/0016).
 */
export class TokenAnswerCache {
  readonly #answers = new LRUCache<string, { contact: TokenContact; readAt: number }>({ max: MAX_ANSWERS, ttl: TTL_MS })
  /** The number of the last change of a contact, or of an account, for longer than an answer takes to be read and then lives. */
  readonly #changes = new LRUCache<string, number>({
    max: MAX_CHANGES,
    ttl: CHANGE_TTL_MS,
    dispose: (_change, _of, reason) => {
      if (reason === 'evict') this.invalidateAll()
    },
  })
  #lastChange = 0
  #allInvalidatedAt = 0

  /** Hears of all changes, in whatever process. */
  subscribe(bus: Bus): void {
    const changed = (account_id: string): void => this.invalidate(account_id)
    for (const topic of topics) bus.listen(topic, changed)
    for (const topic of [VOID, ENDED_SIGN_INS]) {
      bus.listen(topic, (text) => {
        const ended = JSON.parse(text) as Partial<EndedSignIn> & { account_id: string }
        this.invalidate(ended.account_id, 'contact_id' in ended ? ended.contact_id : undefined)
      })
    }
    bus.onReconnect(() => this.invalidateAll())
  }

  /** Forgets what was said of a contact, or of all of an account. */
  invalidate(account_id: string, contact_id?: string): void {
    this.#changes.set(contact_id === undefined ? account_id : `${account_id} ${contact_id}`, ++this.#lastChange)
  }

  /** Forgets all. */
  invalidateAll(): void {
    this.#allInvalidatedAt = ++this.#lastChange
  }

  /** Where the changes are now: what is read from here on knows of all before. */
  get version(): number {
    return this.#lastChange
  }

  /** Remembers what was said of a token; `readAt` is {@link version} of before it was read. */
  set(account_id: string, token: string, contact: TokenContact, readAt: number): void {
    this.#answers.set(`${account_id} ${token}`, { contact, readAt })
  }

  /** What was said of a token and still holds. */
  get(account_id: string, token: string): object | undefined {
    const known = this.#answers.get(`${account_id} ${token}`)
    if (!known) return undefined
    const { contact, readAt } = known
    const changes = [account_id, `${account_id} ${contact.contact_id}`].map((of) => this.#changes.get(of) ?? 0)
    if (readAt < Math.max(this.#allInvalidatedAt, ...changes)) return undefined
    return contact.exp > Date.now() / 1000 ? contact.shown : undefined
  }
}

/** Tells every sso process that tokens of a contact may be void, or of any of an account, before the caller hears that it is done. */
export function announceVoid(bus: Bus, account_id: string, contact_id?: string): void {
  bus.announce(VOID, JSON.stringify({ account_id, ...(contact_id !== undefined && { contact_id }) }))
}
