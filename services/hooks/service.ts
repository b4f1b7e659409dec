import { type Running, type ServiceConfig, serviceSettings, startService } from '@gatehouse/proto/service.ts'

/** The settings of the hooks service. */
export const settings = serviceSettings

/** The hooks service: webhooks and their deliveries. */
export function start(config: ServiceConfig): Promise<Running> {
  return startService('hooks', config, async () => ({}))
}
