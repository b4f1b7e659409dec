import { Counts } from '@gatehouse/proto/concurrency/counts.ts'
import { unavailable } from '@gatehouse/proto/declaring/faults.ts'
import { networkOf } from '@gatehouse/proto/process/network.ts'
import type { FastifyRequest } from 'fastify'
import { TooManyRequests } from '../admission/limits.ts'
import { MinuteCounts } from '../admission/minute-counts.ts'

const MIB = 2 ** 20

/** Bytes of bodies that a gateway process holds at once. */
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

/** Bytes of bodies that are parsed in a minute: parsing costs most. */
export interface ParsingLimits {
  perHolder: number
  perAccount: number
}

const UNLIMITED: ParsingLimits = { perHolder: Number.POSITIVE_INFINITY, perAccount: Number.POSITIVE_INFINITY }

/** Who sends a body. */
export interface BodySender {
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
  /** Returns all bytes back. */
  release(): void
}

/** Counts the bytes of bodies in memory, so that neither one token, account or address nor all of them together exhaust it. */
export class BodyBudget {
  readonly #limits: BodyLimits
  readonly #held = new Counts()
  /** Bytes that were parsed. */
  readonly #ofHolders: MinuteCounts
  readonly #ofAccounts: MinuteCounts
  #total = 0

  constructor(limits: BodyLimits, perMinute = UNLIMITED) {
    this.#limits = limits
    const unit = 'content-bytes'
    this.#ofHolders = new MinuteCounts({ name: 'body-bytes', max: perMinute.perHolder, unit })
    this.#ofAccounts = new MinuteCounts({ name: 'account-body-bytes', max: perMinute.perAccount, unit })
  }

  /** A share of the budget for one request, empty at first. */
  share({ address, account, holder }: BodySender): BodyShare {
    const held: [string, number][] = [
      [`address ${address}`, this.#limits.perAddress],
      [`holder ${holder}`, this.#limits.perHolder],
    ]
    const parsed: [string, MinuteCounts][] = [[holder, this.#ofHolders]]
    if (account !== undefined) {
      held.push([`account ${account}`, this.#limits.perAccount])
      parsed.push([account, this.#ofAccounts])
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
      parse: (more) => count(parsed, more),
      release: () => {
        this.#add(held, -bytes)
        bytes = 0
      },
    }
  }

  /** Does the work of a request without a token with a share for its address. A body is in memory as long as the service that got it has not answered. */
  async sharing<T>({ ip }: FastifyRequest, work: (share: BodyShare) => Promise<T>): Promise<T> {
    const address = networkOf(ip)
    const share = this.share({ address, holder: address })
    try {
      return await work(share)
    } finally {
      share.release()
    }
  }

  #add(held: [string, number][], bytes: number): void {
    this.#total += bytes
    for (const [key] of held) this.#held.add(key, bytes)
  }
}

/** Counts bytes against each key, unless one of them has nothing left. */
function count(parsed: [string, MinuteCounts][], bytes: number): void {
  const full = parsed.map(([key, counts]) => counts.standing(key)).find(({ left }) => left <= 0)
  if (full) throw new TooManyRequests(full, 'Too many bytes of bodies this minute')
  for (const [key, counts] of parsed) counts.add(key, bytes)
}
