import { unavailable } from '@gatehouse/proto/declaring/faults.ts'
import { LRUCache } from 'lru-cache'
import { Counts } from './counts.ts'
import { TooMany } from './limits.ts'

const MINUTE_MS = 60_000
const MIB = 2 ** 20

/** Bytes of bodies which a gateway process holds at once. */
export interface BodyLimits {
  total: number
  perAddress: number
  perAccount: number
  /** Of one token, or of one secret in a path. */
  perHolder: number
}

/** For the API: a token may send one batch of the largest size, and half as much beside it. */
export const API_BODIES: BodyLimits = {
  total: 48 * MIB,
  perAddress: 32 * MIB,
  perAccount: 24 * MIB,
  perHolder: 15 * MIB,
}
/** For pages, whose forms need no token: of single sign-on, and of invitations. */
export const PAGE_BODIES: BodyLimits = {
  total: 16 * MIB,
  perAddress: 4 * MIB,
  perAccount: 16 * MIB,
  perHolder: 4 * MIB,
}

/** Bytes of bodies which are parsed in a minute: parsing costs most. */
export interface ParsingLimits {
  perHolder: number
  perAccount: number
}

const UNLIMITED: ParsingLimits = { perHolder: Number.POSITIVE_INFINITY, perAccount: Number.POSITIVE_INFINITY }

/** Who sends a body. */
export interface Sender {
  address: string
  account?: string | undefined
  /** The id of the token, or the secret. */
  holder: string
}

/** What one request holds of the budget. */
export interface BodyShare {
  /** Takes more bytes. Throws `unavailable` (503) if none are left. */
  take(bytes: number): void
  /** Counts bytes before they are parsed. Throws `too_many` (429) beyond the limit of this minute. */
  parse(bytes: number): void
  /** Gives all bytes back. */
  release(): void
}

/** Counts the bytes of bodies in memory, so that neither one token, account or address nor all of them together exhaust it. */
export class BodyBudget {
  readonly #limits: BodyLimits
  readonly #perMinute: ParsingLimits
  readonly #held = new Counts()
  /** Bytes which were parsed since a moment, which is at most a minute ago. */
  readonly #parsed = new LRUCache<string, { bytes: number; since: number }>({ max: 20_000 })
  #total = 0

  constructor(limits: BodyLimits, perMinute = UNLIMITED) {
    this.#limits = limits
    this.#perMinute = perMinute
  }

  /** A share of the budget for one request, empty at first. */
  share({ address, account, holder }: Sender): BodyShare {
    const held: [string, number][] = [
      [`address ${address}`, this.#limits.perAddress],
      [`holder ${holder}`, this.#limits.perHolder],
    ]
    const parsed: [string, number][] = [[`holder ${holder}`, this.#perMinute.perHolder]]
    if (account !== undefined) {
      held.push([`account ${account}`, this.#limits.perAccount])
      parsed.push([`account ${account}`, this.#perMinute.perAccount])
    }
    let bytes = 0
    return {
      take: (more) => {
        const isOver = held.some(([key, limit]) => this.#held.of(key) + more > limit)
        if (isOver || this.#total + more > this.#limits.total)
          throw unavailable('Too many large requests in progress; try again later')
        this.#add(held, more)
        bytes += more
      },
      parse: (more) => this.#parse(parsed, more),
      release: () => {
        this.#add(held, -bytes)
        bytes = 0
      },
    }
  }

  #parse(parsed: [string, number][], bytes: number): void {
    const counters = parsed.map(([key, limit]) => ({ limit, counter: this.#counterOf(key) }))
    for (const { limit, counter } of counters) {
      if (counter.bytes < limit) continue
      const left = Math.ceil((counter.since + MINUTE_MS - performance.now()) / 1_000)
      throw new TooMany(limit, Math.max(1, left), 'Too many bytes of bodies this minute')
    }
    for (const { counter } of counters) counter.bytes += bytes
  }

  #counterOf(key: string): { bytes: number; since: number } {
    const now = performance.now()
    const known = this.#parsed.get(key)
    if (known && now - known.since < MINUTE_MS) return known
    const counter = { bytes: 0, since: now }
    this.#parsed.set(key, counter)
    return counter
  }

  #add(held: [string, number][], bytes: number): void {
    this.#total += bytes
    for (const [key] of held) this.#held.add(key, bytes)
  }
}
