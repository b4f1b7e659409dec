import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { LRUCache } from 'lru-cache'
import { topics } from '../account-cache.ts'
import { ENDINGS, type Ending } from '../ended-sign-ins.ts'

/** The topic of the bus under which every sso process hears that a token may be void. */
const VOID = 'void'
/** What was said lives this long at most, should an announcement ever be lost. */
const TTL_MS = 5_000
const CHANGE_TTL_MS = 60_000
const MOST_ANSWERS = 20_000
const MOST_CHANGES = 50_000

/** The contact of a token, as sites see it. */
export interface Whose {
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
export class Said {
  readonly #answers = new LRUCache<string, { whose: Whose; asked: number }>({ max: MOST_ANSWERS, ttl: TTL_MS })
  /** The number of the last change of a contact, or of an account, for longer than an answer takes to be read and then lives. */
  readonly #changes = new LRUCache<string, number>({
    max: MOST_CHANGES,
    ttl: CHANGE_TTL_MS,
    dispose: (_change, _of, reason) => {
      if (reason === 'evict') this.changedUnheard()
    },
  })
  #last = 0
  #unheard = 0

  /** Hears of all changes, in whatever process. */
  hear(bus: Bus): void {
    const changed = (account_id: string): void => this.changed(account_id)
    for (const topic of topics) bus.listen(topic, changed)
    for (const topic of [VOID, ENDINGS]) {
      bus.listen(topic, (text) => {
        const ending = JSON.parse(text) as Partial<Ending> & { account_id: string }
        this.changed(ending.account_id, 'contact_id' in ending ? ending.contact_id : undefined)
      })
    }
    bus.onReconnect(() => this.changedUnheard())
  }

  /** Forgets what was said of a contact, or of all of an account. */
  changed(account_id: string, contact_id?: string): void {
    this.#changes.set(contact_id === undefined ? account_id : `${account_id} ${contact_id}`, ++this.#last)
  }

  /** Forgets all. */
  changedUnheard(): void {
    this.#unheard = ++this.#last
  }

  /** Where the changes are now: what is read from here on knows of all before. */
  get now(): number {
    return this.#last
  }

  /** Remembers what was said of a token; `asked` is {@link now} of before it was read. */
  note(account_id: string, token: string, whose: Whose, asked: number): void {
    this.#answers.set(`${account_id} ${token}`, { whose, asked })
  }

  /** What was said of a token and still holds. */
  of(account_id: string, token: string): object | undefined {
    const known = this.#answers.get(`${account_id} ${token}`)
    if (!known) return undefined
    const { whose, asked } = known
    const changes = [account_id, `${account_id} ${whose.contact_id}`].map((of) => this.#changes.get(of) ?? 0)
    if (asked < Math.max(this.#unheard, ...changes)) return undefined
    return whose.exp > Date.now() / 1000 ? whose.shown : undefined
  }
}

/** Tells every sso process that tokens of a contact may be void, or of any of an account, before the caller hears that it is done. */
export function announceVoid(bus: Bus, account_id: string, contact_id?: string): void {
  bus.announce(VOID, JSON.stringify({ account_id, ...(contact_id !== undefined && { contact_id }) }))
}
