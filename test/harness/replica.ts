import * as gateway from '@gatehouse/gateway/gateway'
import { withDefaults } from '@gatehouse/proto/process/config.ts'
import type { Running } from '@gatehouse/proto/serving/run.ts'
import { mainOf, type ServiceName, startService } from '../../services/services.ts'
import { storeUrlsOf } from './nats-urls.ts'
import { type Process, startProcess } from './process.ts'
import { SECRETS_KEY, type System } from './system.ts'

type Place = Pick<System, 'namespace' | 'url'>

const settingsOf = (service: string, { namespace, url }: Place, settings: object) => ({
  ...storeUrlsOf(service),
  namespace,
  secrets_key: SECRETS_KEY,
  public_url: url,
  // As in the system.
  deadline_ms: 60_000,
  ...settings,
})

/** Starts another one of a service of a system, in this process. `settings` overrides the usual ones. */
export function startReplica(service: ServiceName, place: Place, settings: object = {}): Promise<Running> {
  const log_level = process.env.LOG_LEVEL ?? 'silent'
  return startService(service, { log_level, ...settingsOf(service, place, settings) })
}

/** Starts another gateway of a system, in this process, on a free port. */
export function startGatewayReplica(place: Place, settings: object = {}): Promise<Running & { url: string }> {
  const log_level = process.env.LOG_LEVEL ?? 'silent'
  const unlimited = { port: 0, rate_limits: 'off', overload_refusals: 'off' }
  const given = { log_level, ...settingsOf('gateway', place, unlimited), ...settings }
  return gateway.start(withDefaults(gateway.settings, given as Partial<gateway.GatewayConfig>))
}

/** Starts another process of a service, or another gateway, as in production, which a test may kill: that takes two seconds of CPU time. */
export function startReplicaProcess(
  service: ServiceName | 'gateway',
  place: Place,
  settings: object = {},
): Promise<Process> {
  return startProcess(mainOf(service), settingsOf(service, place, settings))
}
