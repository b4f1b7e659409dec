import { type Running, type ServiceConfig, serviceSettings, startService } from '@gatehouse/proto/service.ts'

/** The settings of the promo service. */
export const settings = serviceSettings

/** The promo service: discount codes. */
export function start(config: ServiceConfig): Promise<Running> {
  return startService('promo', config, async () => ({}))
}
