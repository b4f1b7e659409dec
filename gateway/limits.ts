import rateLimit from '@fastify/rate-limit'
import { Fault } from '@gatehouse/proto/faults.ts'
import type { Caller } from '@gatehouse/proto/resource.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'

/** Requests a minute: of one token, and of one address with tokens that are not known. `off` is for load tests. */
export interface Limits {
  off: boolean
  perToken: number
  perStranger: number
}

/** Counts who asks how often. */
export interface Limiter {
  /** Counts a request of a known token. Throws `too_many` (429). */
  token(caller: Caller, request: FastifyRequest, reply: FastifyReply): Promise<void>
  /** Counts a request whose token nobody here has seen to be valid, so that nobody can guess tokens fast. */
  stranger(request: FastifyRequest, reply: FastifyReply): Promise<void>
  /** Refuses an address that has guessed too often of late. Throws `too_many` (429). */
  guesser(request: FastifyRequest, reply: FastifyReply): void
  /** Counts a secret, or what it should have led to, that there is not. */
  guessed(request: FastifyRequest, reply: FastifyReply): Promise<void>
}

/** Makes the limiter. It counts per gateway process: the limits protect a process, they are no quota. */
export async function makeLimiter(app: FastifyInstance, limits: Limits): Promise<Limiter> {
  if (limits.off) return { token: async () => {}, stranger: async () => {}, guesser: () => {}, guessed: async () => {} }
  await app.register(rateLimit, { global: false, timeWindow: '1 minute', max: limits.perToken, cache: 20_000 })
  const tokenIds = new WeakMap<FastifyRequest, string>()
  const byToken = app.createRateLimit({
    max: limits.perToken,
    keyGenerator: (request) => `token:${tokenIds.get(request)}`,
  })
  const byAddress = app.createRateLimit({ max: limits.perStranger, keyGenerator: (request) => `address:${request.ip}` })
  const guessers = new LRUCache<string, Outcome>({ max: 20_000 })
  return {
    guesser: ({ ip }, reply) => {
      const outcome = guessers.get(ip)
      if (outcome) check(outcome, reply)
    },
    guessed: async (request, reply) => {
      const outcome = await byAddress(request)
      if (!outcome.isAllowed && outcome.isExceeded)
        guessers.set(request.ip, outcome, { ttl: outcome.ttlInSeconds * 1_000 })
      check(outcome, reply)
    },
    token: async (caller, request, reply) => {
      tokenIds.set(request, caller.token_id)
      check(await byToken(request), reply)
    },
    stranger: async (request, reply) => check(await byAddress(request), reply),
  }
}

type Outcome = Awaited<ReturnType<ReturnType<FastifyInstance['createRateLimit']>>>

function check(outcome: Outcome, reply: FastifyReply): void {
  if (outcome.isAllowed) return
  reply.headers({
    'ratelimit-limit': outcome.max,
    'ratelimit-remaining': Math.max(0, outcome.remaining),
    'ratelimit-reset': outcome.ttlInSeconds,
  })
  if (!outcome.isExceeded) return
  reply.header('retry-after', outcome.ttlInSeconds)
  throw new Fault('too_many')
}
