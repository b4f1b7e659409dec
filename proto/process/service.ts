import { type Bus, connectBus } from '../bus/bus.ts'
import { integer, text } from '../declaring/fields.ts'
import { DomainEvents } from '../events/domain-events.ts'
import { IdempotencyStore } from '../storage/idempotency.ts'
import { openStore, type Store } from '../storage/mongo.ts'
import { type Log, makeLog } from './log.ts'
import type { Running } from './run.ts'

/** The settings that every service takes. */
export const serviceSettings = {
  mongodb_url: text({ maxLength: 2000 }),
  nats_url: text({ maxLength: 2000 }),
  namespace: text({ default: 'gatehouse', pattern: '^[a-z0-9_-]+$' }),
  log_level: text({ default: 'info' }),
  deadline_ms: integer({ default: 5_000, minimum: 100, maximum: 60_000 }),
}

/** The settings of a service without any of its own. */
export interface ServiceConfig {
  mongodb_url: string
  nats_url: string
  namespace: string
  log_level: string
  deadline_ms: number
}

/** What a service is made with: its connections, already open. */
export interface ServiceContext {
  bus: Bus
  store: Store
  retries: IdempotencyStore
  /** Where to tell what happened: webhooks and live feeds hear of it. */
  domain: DomainEvents
  log: Log
}

/** What a service has running besides its subjects. */
export interface Parts {
  /** Ends what works by itself, when the last request is answered and the bus is still there. */
  drain?(): Promise<void>
  stop?(): Promise<void>
  /** Throws when a part can not work; the service then counts as not ready. */
  check?(): Promise<void>
}

/**
 * Opens what a service needs, lets `build` serve its resources and then answers for its health on `<name>.health`.
 * `build` tells what else has to be stopped and checked.
 */
export async function startService(
  name: string,
  config: ServiceConfig,
  build: (context: ServiceContext) => Promise<Parts>,
): Promise<Running> {
  const log = makeLog(name, config.log_level)
  const store = await openStore(config.mongodb_url, config.namespace, name)
  const bus = await connectBus({
    servers: config.nats_url,
    namespace: config.namespace,
    name,
    log,
    deadlineMs: config.deadline_ms,
  })
  const retries = new IdempotencyStore(store.db)
  await retries.prepare()
  const domain = new DomainEvents(bus, log)
  const parts = await build({ bus, store, retries, domain, log })
  serveHealth(bus, name, async () => {
    await store.ping()
    await parts.check?.()
  })
  await bus.flush()
  log.info('ready')
  return {
    stop: async () => {
      await bus.stop(async () => {
        await parts.drain?.()
        domain.stop()
      })
      await parts.stop?.()
      await store.close()
      log.info('stopped')
    },
  }
}

/** Answers for the health of a service, unless `check` throws; however busy it is: a service that has enough to do is healthy. */
export function serveHealth(bus: Bus, name: string, check: () => Promise<void>): void {
  const answer = async () => {
    await check()
    return { body: Buffer.from('{}') }
  }
  bus.serve(`${name}.health`, name, answer, { always: true })
}
