import rateLimit from '@fastify/rate-limit'
import { Fault } from '@gatehouse/proto/declaring/faults.ts'
import type { Caller } from '@gatehouse/proto/declaring/resource.ts'
import { networkOf } from '@gatehouse/proto/process/network.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { Counts } from './counts.ts'

/** Limits a minute, of one gateway process. */
export interface Limits {
  /** Counts nothing: for load tests. */
  off: boolean
  /** Requests of one token or secret, and of all tokens of one account. */
  perToken: number
  perAccount: number
  /** Requests of one address with tokens and secrets which are not valid. */
  perStranger: number
  /** Bytes of bodies which are parsed, of one token or secret, and of all tokens of one account. */
  bytesPerToken: number
  bytesPerAccount: number
}

/** 429: which limit was exceeded, and the seconds until it begins anew. */
export class TooMany extends Fault {
  readonly limit: number

  constructor(limit: number, seconds: number, message?: string) {
    super('too_many', message, undefined, seconds)
    this.limit = limit
  }

  get headers(): Record<string, number> {
    return rateHeaders(this.limit, 0, this.retryAfter ?? 1)
  }
}

function rateHeaders(limit: number, remaining: number, seconds: number): Record<string, number> {
  return { 'ratelimit-limit': limit, 'ratelimit-remaining': remaining, 'ratelimit-reset': seconds }
}

/** Counts requests. Each method rejects with `too_many` (429) beyond a limit. */
export interface Limiter {
  /** Counts a request with a valid token. */
  token(caller: Caller, request: FastifyRequest, reply: FastifyReply): Promise<void>
  /** Counts a request with a valid secret; refuses it also if that secret has led to too many refusals. */
  secret(secret: string, request: FastifyRequest, reply: FastifyReply): Promise<void>
  /** Counts a guess: against the secret if it is valid, otherwise against the address. */
  guessed(request: FastifyRequest, reply: FastifyReply, secret?: string): Promise<void>
  /**
   * Does work which may turn out to be a guess. An address which has guessed too often may have only a few of these under way at once, so that
   * valid secrets from there still get through.
   */
  guessing<T>(request: FastifyRequest, reply: FastifyReply, work: () => Promise<T>): Promise<T>
}

/** Guesses under way at once of an address which has guessed too often. */
const MAX_GUESSING = 8

const none = async (): Promise<void> => {}
/** Counts nothing. */
export const noLimiter: Limiter = {
  token: none,
  secret: none,
  guessed: none,
  guessing: (_request, _reply, work) => work(),
}

/** Makes the limiter of a gateway process: it protects the process and is no quota. */
export async function makeLimiter(app: FastifyInstance, limits: Limits): Promise<Limiter> {
  if (limits.off) return noLimiter
  await app.register(rateLimit, { global: false, timeWindow: '1 minute', max: limits.perToken, cache: 20_000 })
  const keys = new WeakMap<FastifyRequest, string>()
  const keyGenerator = (request: FastifyRequest): string => keys.get(request) ?? ''
  const byToken = app.createRateLimit({ max: limits.perToken, keyGenerator })
  const byAccount = app.createRateLimit({ max: limits.perAccount, keyGenerator })
  const byGuesser = app.createRateLimit({ max: limits.perStranger, keyGenerator })
  const guessers = new LRUCache<string, Outcome>({ max: 20_000 })
  const underWay = new Counts()
  return {
    token: async ({ token_id, account_id }, request, reply) => {
      keys.set(request, `account:${account_id}`)
      const ofAccount = await byAccount(request)
      keys.set(request, `token:${token_id}`)
      check(await byToken(request), reply)
      if (!ofAccount.isAllowed && ofAccount.isExceeded) check(ofAccount, reply)
    },
    secret: async (secret, request, reply) => {
      const guesser = guessers.get(guesserOf(request, secret))
      if (guesser) check(guesser, reply)
      keys.set(request, `secret:${secret}`)
      check(await byToken(request), reply)
    },
    guessed: async (request, reply, secret) => {
      const key = guesserOf(request, secret)
      keys.set(request, key)
      const outcome = await byGuesser(request)
      if (!outcome.isAllowed && outcome.isExceeded) guessers.set(key, outcome, { ttl: outcome.ttlInSeconds * 1_000 })
      check(outcome, reply)
    },
    guessing: async (request, reply, work) => {
      const key = guesserOf(request)
      const guesser = guessers.get(key)
      if (guesser && underWay.of(key) >= MAX_GUESSING) check(guesser, reply)
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
  return secret === undefined ? `guesses of address ${networkOf(ip)}` : `guesses of secret ${secret}`
}

type Outcome = Awaited<ReturnType<ReturnType<FastifyInstance['createRateLimit']>>>

function check(outcome: Outcome, reply: FastifyReply): void {
  if (outcome.isAllowed) return
  if (outcome.isExceeded) throw new TooMany(outcome.max, outcome.ttlInSeconds)
  reply.headers(rateHeaders(outcome.max, Math.max(0, outcome.remaining), outcome.ttlInSeconds))
}
