import { hash } from 'node:crypto'
import type { Askable, Bus } from '@gatehouse/proto/bus/bus.ts'
import { coalesced } from '@gatehouse/proto/concurrency/coalescing.ts'
import { Fault } from '@gatehouse/proto/declaring/faults.ts'
import type { Action } from '@gatehouse/proto/declaring/resource.ts'
import { parseJson } from '@gatehouse/proto/formats/json-reader.ts'
import { growingCache } from '@gatehouse/proto/storage/growing-cache.ts'
import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import type { RouteHandler } from '../forwarding/forwarding.ts'
import { distrustConnection, trustConnection } from '../http/connections.ts'
import { secretOf } from '../http/request.ts'
import type { Limiter } from './limits.ts'

const SECRET_TTL_MS = 30_000

/** Admits requests that bring a secret in their path or query in place of a token. */
export class SecretAdmission {
  readonly #bus: Bus
  readonly #limiter: Limiter
  readonly #lookups = new Map<string, (hash: string) => Promise<{ known: boolean }>>()
  readonly #known = growingCache<true>(10_000, { ttl: SECRET_TTL_MS })

  constructor(bus: Bus, limiter: Limiter) {
    this.#bus = bus
    this.#limiter = limiter
  }

  /**
   * The hook that admits the requests of an action. It refuses unknown secrets (401) if the action declares an authenticator; otherwise only
   * the handler knows.
   */
  hookOf(action: Action): onRequestAsyncHookHandler {
    const { authenticator } = action
    return async (request, reply) => {
      if (authenticator) await this.admit(authenticator, secretOf(request, action), request, reply)
    }
  }

  /** Admits a request by a secret that an authenticator knows, and counts it. Throws `unauthorized` (401) for an unknown one. */
  async admit(authenticator: string, secret: string, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (!(await this.#isKnown(authenticator, secret))) {
      distrustConnection(request.raw)
      this.#limiter.guessed(request, reply)
      throw new Fault('unauthorized')
    }
    trustConnection(request.raw, hash('sha256', secret))
    this.#limiter.secret(secret, request, reply)
  }

  /** A handler that counts the refusals of another as guesses: against a known secret, otherwise against the client's address. */
  counting(handler: RouteHandler, action: Action): RouteHandler {
    const count = async (request: FastifyRequest, reply: FastifyReply, known?: string): Promise<FastifyReply> => {
      try {
        return await handler(request, reply)
      } catch (error) {
        if (isGuess(error)) this.#limiter.guessed(request, reply, known)
        throw error
      }
    }
    return action.authenticator
      ? (request, reply) => count(request, reply, secretOf(request, action))
      : (request, reply) => this.#limiter.guessing(request, () => count(request, reply))
  }

  /** Whether an authenticator knows a secret, or knew it within the last half minute: the handler checks it again. */
  async #isKnown(authenticator: string, secret: string): Promise<boolean> {
    const digest = hash('sha256', secret)
    const key = `${authenticator} ${digest}`
    if (this.#known.has(key)) return true
    const lookUp = this.#lookups.getOrInsertComputed(authenticator, () =>
      coalesced((hashes: string[]) => this.#ask(authenticator, hashes)),
    )
    const { known } = await lookUp(digest)
    if (known) this.#known.set(key, true)
    return known
  }

  /** Which secrets any cell knows. Rejects if one of them is away: it may know those that others do not. */
  async #ask(authenticator: string, hashes: string[]): Promise<{ known: boolean }[]> {
    const question = Buffer.from(JSON.stringify({ hashes }))
    const known = await this.#askIn(this.#bus, authenticator, question)
    if (known.every((each) => each.known)) return known
    const others = this.#bus.cells.map((cell) => this.#askIn(this.#bus.cell(cell), authenticator, question))
    const elsewhere = await Promise.all(others)
    return known.map((each, index) => ({ known: each.known || elsewhere.some((found) => found[index]?.known) }))
  }

  async #askIn(cell: Askable, authenticator: string, question: Buffer): Promise<{ known: boolean }[]> {
    const { body } = await cell.call(authenticator, {}, question, true)
    return parseJson(body) as { known: boolean }[]
  }
}

/** Whether a refusal means that a secret is wrong, and neither that a service is away nor that the client shall come again. */
function isGuess(error: unknown): boolean {
  return error instanceof Fault && error.code !== 'unavailable' && error.retryAfter === undefined
}
