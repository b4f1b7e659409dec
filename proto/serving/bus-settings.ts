import type { Bus } from '../bus/bus.ts'
import { connectBus } from '../bus/connecting.ts'
import { integer, text } from '../declaring/fields.ts'
import type { Permissions } from '../declaring/permissions/permissions.ts'
import type { ConfigOf } from '../process/config.ts'
import type { Log } from '../process/log.ts'

/** The settings of every process on the bus. */
export const busSettings = {
  nats_url: text({ maxLength: 2000 }),
  namespace: text({ default: 'gatehouse', pattern: '^[a-z0-9_-]+$' }),
  log_level: text({ default: 'info' }),
  deadline_ms: integer({ default: 5_000, minimum: 100, maximum: 60_000 }),
  stream_replicas: integer({ default: 1, minimum: 1, maximum: 5, description: 'NATS servers that keep each stream' }),
}

/** The settings as read. */
export type BusConfig = ConfigOf<typeof busSettings>

/** Connects a process to the bus, where it asks and hears other `cells` too, and waits for NATS as long as it takes. */
export function connectProcess(
  name: string,
  permissions: Permissions,
  config: BusConfig,
  log: Log,
  cells: readonly string[] = [],
): Promise<Bus> {
  return connectBus({
    servers: config.nats_url,
    namespace: config.namespace,
    name,
    log,
    permissions,
    deadlineMs: config.deadline_ms,
    streamReplicas: config.stream_replicas,
    cells,
    connectTimeoutMs: Number.POSITIVE_INFINITY,
  })
}
