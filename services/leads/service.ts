import { type Running, type ServiceConfig, serviceSettings, startService } from '@gatehouse/proto/service.ts'

/** The settings of the leads service. */
export const settings = serviceSettings

/** The leads service: exhibitors, their leads and licences. */
export function start(config: ServiceConfig): Promise<Running> {
  return startService('leads', config, async () => ({}))
}
