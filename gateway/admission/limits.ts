import { Counts } from '@gatehouse/proto/concurrency/counts.ts'
import { Fault } from '@gatehouse/proto/declaring/faults.ts'
import type { Caller } from '@gatehouse/proto/declaring/resource.ts'
import { networkOf } from '@gatehouse/proto/process/network.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { MinuteCounts, type MinuteUse, type Policy } from './minute-counts.ts'

/** Limits a minute, of one gateway process. */
export interface RateLimits {
  /** Counts nothing: for load tests. */
  off: boolean
  /** Requests of one token or secret, and of all tokens of one account; as many again for the door. */
  perToken: number
  perAccount: number
  /** Requests of one address with tokens and secrets that are not valid. */
  perStranger: number
  /** Bytes of bodies that are parsed, of one token or secret, and of all tokens of one account. */
  bytesPerToken: number
  bytesPerAccount: number
}

/** 429: which limit was exceeded, and the seconds until it resets. */
export class TooManyRequests extends Fault {
  readonly standing: MinuteUse

  constructor(standing: MinuteUse, message?: string) {
    super('too_many', message, undefined, standing.seconds)
    this.standing = standing
  }

  get headers(): Record<string, string | number> {
    return rateHeaders([this.standing])
  }
}

/**
 * The headers that describe limits: `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-10) of all, and by the names of
 * earlier drafts, which hold one limit, the first.
 */
function rateHeaders(standings: [MinuteUse, ...MinuteUse[]]): Record<string, string | number> {
  const [first] = standings
  return {
    'ratelimit-policy': standings.map((standing) => policyText(standing.policy)).join(', '),
    ratelimit: standings.map((each) => `"${each.policy.name}";r=${leftOf(each)};t=${each.seconds}`).join(', '),
    'ratelimit-limit': first.policy.max,
    'ratelimit-remaining': leftOf(first),
    'ratelimit-reset': first.seconds,
  }
}

function policyText({ name, max, unit }: Policy): string {
  const window = unit === 'concurrent-requests' ? '' : ';w=60'
  return `"${name}";q=${max}${window}${unit ? `;qu="${unit}"` : ''}`
}

function leftOf({ left }: MinuteUse): number {
  return Math.max(0, left)
}

/** Counts requests. Each method throws `too_many` (429) beyond a limit. */
export interface Limiter {
  /** Counts a request with a valid token, against the door's budget if it is for the door. */
  token(caller: Caller, isForDoor: boolean, reply: FastifyReply): void
  /** Counts a request with a valid secret; refuses it also if that secret has led to too many refusals. */
  secret(secret: string, request: FastifyRequest, reply: FastifyReply): void
  /** Counts a guess: against the secret if it is valid, otherwise against the address. */
  guessed(request: FastifyRequest, reply: FastifyReply, secret?: string): void
  /**
   * Does work that may turn out to be a guess. An address that has guessed too often may have only a few of these under way at once, so that
   * valid secrets from there still get through.
   */
  guessing<T>(request: FastifyRequest, work: () => Promise<T>): Promise<T>
}

/** Guesses under way at once of an address that has guessed too often. */
const MAX_GUESSING = 8

const none = (): void => {}
/** Counts nothing. */
export const noLimiter: Limiter = { token: none, secret: none, guessed: none, guessing: (_request, work) => work() }

/** Makes the limiter of a gateway process: it protects the process and is no quota (docs/adr/0010). */
export function makeLimiter(limits: RateLimits): Limiter {
  if (limits.off) return noLimiter
  const { perToken, perAccount, perStranger } = limits
  const budgetOf = (ofToken: string, ofAccount: string) => ({
    ofToken: new MinuteCounts({ name: ofToken, max: perToken }),
    ofAccount: new MinuteCounts({ name: ofAccount, max: perAccount }),
  })
  const door = budgetOf('door', 'door-account')
  const other = budgetOf('token', 'account')
  const bySecret = new MinuteCounts({ name: 'secret', max: perToken })
  const guesses = new MinuteCounts({ name: 'guesses', max: perStranger })
  const underWay = new Counts()
  return {
    token: ({ token_id, account_id }, isForDoor, reply) => {
      const { ofToken, ofAccount } = isForDoor ? door : other
      check([ofToken.add(token_id, 1), ofAccount.add(account_id, 1)], reply)
    },
    secret: (secret, request, reply) => {
      const guesser = guesses.standing(guesserOf(request, secret))
      if (guesser.left < 0) throw new TooManyRequests(guesser)
      check([bySecret.add(secret, 1)], reply)
    },
    guessed: (request, reply, secret) => check([guesses.add(guesserOf(request, secret), 1)], reply),
    guessing: async (request, work) => {
      const key = guesserOf(request)
      const guesser = guesses.standing(key)
      if (guesser.left < 0 && underWay.of(key) >= MAX_GUESSING) throw new TooManyRequests(guesser)
      underWay.add(key, 1)
      try {
        return await work()
      } finally {
        underWay.add(key, -1)
      }
    },
  }
}

/** Whom a guess counts against. */
function guesserOf({ ip }: FastifyRequest, secret?: string): string {
  return secret === undefined ? `address ${networkOf(ip)}` : `secret ${secret}`
}

function check(standings: [MinuteUse, ...MinuteUse[]], reply: FastifyReply): void {
  reply.headers(rateHeaders(standings))
  const exceeded = standings.find(({ left }) => left < 0)
  if (exceeded) throw new TooManyRequests(exceeded)
}
