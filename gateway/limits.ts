import rateLimit from '@fastify/rate-limit'
import { Fault } from '@gatehouse/proto/declaring/faults.ts'
import type { Caller } from '@gatehouse/proto/declaring/resource.ts'
import { networkOf } from '@gatehouse/proto/process/network.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'

/** Requests a minute: of one token, of all tokens of one account, and of one address with tokens and secrets that are nobody's. `off` is for load tests. */
export interface Limits {
  off: boolean
  perToken: number
  perAccount: number
  perStranger: number
  /** Bytes of bodies a minute that are parsed of one token, and of all tokens of one account. */
  bytesPerToken: number
  bytesPerAccount: number
}

/** 429: what was exceeded, and the seconds after which there is room again. */
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

/** Counts who asks how often. */
export interface Limiter {
  /** Counts a request of a known token. Throws `too_many` (429). */
  token(caller: Caller, request: FastifyRequest, reply: FastifyReply): Promise<void>
  /** Counts a request with a secret that is known. Throws `too_many` (429), also where it has led to too many errors. */
  secret(secret: string, request: FastifyRequest, reply: FastifyReply): Promise<void>
  /**
   * Counts unknown secrets against the address, failures with a known secret against that secret. Throws `too_many` (429) where there were too
   * many.
   */
  guessed(request: FastifyRequest, reply: FastifyReply, secret?: string): Promise<void>
  /**
   * Does what may turn out to be a guess and costs a service something. An address that has guessed too often may have only a few of these under way at once: whoever holds
   * a good secret there still gets through. Throws `too_many` (429).
   */
  guessing<T>(request: FastifyRequest, reply: FastifyReply, work: () => Promise<T>): Promise<T>
}

/** Guesses under way at once of an address that has guessed too often. */
const FEW = 8

/** Makes the limiter. It counts per gateway process: the limits protect a process, they are no quota. */
export async function makeLimiter(app: FastifyInstance, limits: Limits): Promise<Limiter> {
  if (limits.off) {
    const none = async (): Promise<void> => {}
    return { token: none, secret: none, guessed: none, guessing: (_request, _reply, work) => work() }
  }
  await app.register(rateLimit, { global: false, timeWindow: '1 minute', max: limits.perToken, cache: 20_000 })
  const keys = new WeakMap<FastifyRequest, string>()
  const keyGenerator = (request: FastifyRequest): string => keys.get(request) ?? ''
  const byToken = app.createRateLimit({ max: limits.perToken, keyGenerator })
  const byAccount = app.createRateLimit({ max: limits.perAccount, keyGenerator })
  const ofGuesses = app.createRateLimit({ max: limits.perStranger, keyGenerator })
  const guessers = new LRUCache<string, Outcome>({ max: 20_000 })
  const underWay = new Map<string, number>()
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
      const outcome = await ofGuesses(request)
      if (!outcome.isAllowed && outcome.isExceeded) guessers.set(key, outcome, { ttl: outcome.ttlInSeconds * 1_000 })
      check(outcome, reply)
    },
    guessing: async (request, reply, work) => {
      const key = guesserOf(request)
      const guesser = guessers.get(key)
      const before = underWay.get(key) ?? 0
      if (guesser && before >= FEW) check(guesser, reply)
      underWay.set(key, before + 1)
      try {
        return await work()
      } finally {
        const left = (underWay.get(key) ?? 1) - 1
        if (left > 0) underWay.set(key, left)
        else underWay.delete(key)
      }
    },
  }
}

/** Against whom a guess counts. */
function guesserOf({ ip }: FastifyRequest, secret?: string): string {
  return secret === undefined ? `guesses of address ${networkOf(ip)}` : `guesses of secret ${secret}`
}

type Outcome = Awaited<ReturnType<ReturnType<FastifyInstance['createRateLimit']>>>

function check(outcome: Outcome, reply: FastifyReply): void {
  if (outcome.isAllowed) return
  if (outcome.isExceeded) throw new TooMany(outcome.max, outcome.ttlInSeconds)
  reply.headers(rateHeaders(outcome.max, Math.max(0, outcome.remaining), outcome.ttlInSeconds))
}
