import { randomUUID } from 'node:crypto'
import { AuditTrail } from '../audit/trail.ts'
import type { Bus } from '../bus/bus.ts'
import { background } from '../concurrency/background.ts'
import { cellDataOf } from '../declaring/cell-data.ts'
import { text } from '../declaring/fields.ts'
import type { Permissions } from '../declaring/permissions/permissions.ts'
import type { Handlers, Resource } from '../declaring/resource.ts'
import { DomainEvents } from '../events/domain-events.ts'
import { tellGaps } from '../formats/gaps.ts'
import { compileReaders } from '../formats/json-reader.ts'
import type { ConfigOf } from '../process/config.ts'
import { type Log, makeLog } from '../process/log.ts'
import { guarded } from '../storage/guarding.ts'
import type { Migration } from '../storage/migrations/migration.ts'
import { Migrations } from '../storage/migrations/migrations.ts'
import { openStore, type Store } from '../storage/mongo.ts'
import { busSettings, connectProcess } from './bus-settings.ts'
import { type CellData, cellDataHandlers } from './cells/cell-data.ts'
import { type AccountStates, Fence } from './cells/fence.ts'
import { IdempotencyStore } from './idempotency.ts'
import type { Running } from './run.ts'
import { serveResource } from './serving.ts'

/** The settings of every service. */
export const serviceSettings = {
  mongodb_url: text({ maxLength: 2000 }),
  ...busSettings,
}

/** The settings of a service that encrypts secrets. */
export const encryptionSettings = {
  ...serviceSettings,
  secrets_key: text({
    pattern: '^[A-Za-z0-9+/]{43}=$',
    description: '32 random bytes as base64: openssl rand -base64 32',
  }),
}

/** The settings as read. */
export type ServiceConfig = ConfigOf<typeof serviceSettings>

/** The open connections of a service. */
export interface ServiceContext {
  bus: Bus
  store: Store
  /** Serves a resource. Requests with an `Idempotency-Key` are answered once. */
  serve<R extends Resource>(resource: R, handlers: Handlers<R>): void
  /** The answers to requests with an `Idempotency-Key`, for handlers that keep them themselves. */
  retries: IdempotencyStore
  /** Publishes domain events to webhooks and live feeds; made for a service that takes it. */
  readonly domain: DomainEvents
  /** Records acts that nobody requests; those that are requested are recorded where they are served. */
  trail: AuditTrail
  /** Where accounts are, for handlers that find one by a secret. */
  fence: AccountStates
  log: Log
}

/** What a service does besides its requests. */
export interface ServiceLifecycle {
  /** What moves with an account to another cell. */
  cell: CellData
  /** How its stored documents are brought up to date. */
  migrations?: readonly Migration[]
  /** Ends background work, after the last request and before the bus closes. */
  drain?(): Promise<void>
  stop?(): Promise<void>
  /** Throws when a part does not work; the service then counts as not ready. */
  check?(): Promise<void>
}

/**
 * Opens the connections of a service, calls `build`, which serves its resources, and then answers health checks on `<name>.health`.
 */
export async function startService(
  name: string,
  permissions: Permissions,
  config: ServiceConfig,
  build: (context: ServiceContext) => Promise<ServiceLifecycle>,
): Promise<Running> {
  const log = makeLog(name, config.log_level)
  tellGaps((gap) => log.warn(gap, GAP))
  const store = await openStore(config.mongodb_url, config.namespace, name, log)
  const bus = await connectProcess(name, permissions, config, log)
  const retries = new IdempotencyStore(store.db)
  const trail = new AuditTrail(store.db, bus, log)
  let parts: ServiceLifecycle | undefined
  const fence = new Fence(store.db, bus, name, log, (account_id) => {
    if (fence.isClosing) void background.rest(fence)
    else background.resume(fence)
    // What is cached may be of an earlier stay.
    bus.forget()
    parts?.cell.changed?.(account_id)
  })
  await Promise.all([retries.prepare(), trail.prepare(), fence.load()])
  let domain: DomainEvents | undefined
  const built = await build({
    bus,
    // Handlers that find an event by a secret, such as those of pages, are refused where they write.
    store: { ...store, db: guarded(store.db, (event_id) => fence.checkWrite(event_id)) },
    serve: (resource, handlers) =>
      serveResource(bus, resource, handlers, {
        retries,
        trail,
        // Imports and deletions of events are asked about accounts that move, too.
        ...(resource.many !== 'event_data' && { fence }),
      }),
    retries,
    get domain() {
      domain ??= new DomainEvents(bus, log)
      return domain
    },
    trail,
    fence,
    log,
  })
  parts = built
  const moving = { db: store.db, bus, fence, data: built.cell, process: randomUUID() }
  serveResource(bus, cellDataOf(name), cellDataHandlers(moving))
  const check = async (): Promise<void> => {
    await store.ping()
    await built.check?.()
  }
  compileReaders()
  serveHealth(bus, name, check)
  trail.start()
  const migrations = new Migrations({ db: store.db, log, migrations: built.migrations ?? [] })
  migrations.start()
  await bus.subscribed()
  // What changed before it could hear of it.
  const loadFence = () => fence.load().catch((error) => log.warn({ err: error }, 'moved accounts cannot be read'))
  await loadFence()
  bus.onReconnect(() => void loadFence())
  log.info('ready')
  return {
    check: async () => {
      bus.check()
      await check()
    },
    stop: async () => {
      await bus.stop(async () => {
        await Promise.all([built.drain?.(), migrations.stop()])
        domain?.stop()
        await trail.stop()
      })
      fence.stop()
      background.resume(fence)
      await built.stop?.()
      await store.close()
      log.info('stopped')
    },
  }
}

const GAP = 'a stored document lacks a field or has it in another shape; answers use the default'

/** Answers health checks of a service unless `check` throws, at any load: a busy service is healthy. */
export function serveHealth(bus: Bus, name: string, check: () => Promise<void>): void {
  const answer = async () => {
    await check()
    return { body: Buffer.from('{}') }
  }
  bus.serve(`${name}.health`, name, answer, { always: true })
}
