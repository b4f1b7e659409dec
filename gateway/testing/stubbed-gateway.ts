import { hash, randomUUID } from 'node:crypto'
import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { connectBus } from '@gatehouse/proto/bus/connecting.ts'
import { unavailable } from '@gatehouse/proto/declaring/faults.ts'
import { withDefaults } from '@gatehouse/proto/process/config.ts'
import { makeLog } from '@gatehouse/proto/process/log.ts'
import type { FastifyInstance } from 'fastify'
import { inject } from 'vitest'
import { buildApp } from '../app.ts'
import { appOptionsOf, settings } from '../gateway.ts'
import { resources } from '../resources.ts'

/** The one event whose account is known: `acme`, whose admin token {@link TOKEN} is. */
export const EVENT = 'a'.repeat(24)
export const TOKEN = 'gh_known'

/** A gateway whose services are subjects that a test answers. */
export class StubbedGateway {
  /** What the sso service says of each token, by the token's hash; those missing here are not valid. */
  readonly tokens = new Map<string, object>()
  readonly app: FastifyInstance
  readonly base: string
  readonly #gateway: Bus
  /** Speaks for the services. */
  readonly services: Bus

  private constructor(app: FastifyInstance, base: string, gateway: Bus, services: Bus) {
    this.app = app
    this.base = base
    this.#gateway = gateway
    this.services = services
  }

  /** Starts one that knows {@link TOKEN} and no other; `given` are its settings. */
  static async start(given: object, { deadlineMs = 30_000, stuckAfterMs = 300_000 } = {}): Promise<StubbedGateway> {
    const log = makeLog('stubbed', 'silent')
    const options = { servers: inject('natsUrl'), namespace: `test-${randomUUID().slice(0, 8)}`, name: 'stubbed', log }
    const [bus, services] = [await connectBus({ ...options, deadlineMs }), await connectBus(options)]
    const app = await buildApp({
      bus,
      log,
      resources,
      health: async () => ({}),
      ...appOptionsOf(withDefaults(settings, given)),
      stuckAfterMs,
    })
    const gateway = new StubbedGateway(app, await app.listen({ port: 0, host: '127.0.0.1' }), bus, services)
    await gateway.answer('guests.events.owner', ({ event_id }: { event_id: string }) => {
      if (event_id !== EVENT) throw unavailable()
      return { account_id: 'acme' }
    })
    await gateway.answer('sso.tokens.resolve', ({ hashes }: { hashes: string[] }) =>
      hashes.map((each) => gateway.tokens.get(each) ?? {}),
    )
    gateway.admit(TOKEN, 'admin')
    return gateway
  }

  get port(): number {
    return Number(new URL(this.base).port)
  }

  /** Answers a subject; `answer` gets the body of a request. */
  async answer<B>(subject: string, answer: (body: B) => unknown): Promise<void> {
    this.services.serve(subject, 'test', async (_meta, body) => ({
      body: Buffer.from(JSON.stringify(await answer(JSON.parse(Buffer.from(body).toString() || 'null')))),
    }))
    await this.services.flush()
  }

  /** Makes a token valid. */
  admit(token: string, scope: 'admin' | 'door'): void {
    this.tokens.set(hash('sha256', token), { caller: { account_id: 'acme', token_id: token, scope }, name: token })
  }

  async stop(): Promise<void> {
    this.app.server.closeAllConnections()
    await this.app.close()
    await Promise.all([this.#gateway, this.services].map((bus) => bus.stop()))
  }
}
