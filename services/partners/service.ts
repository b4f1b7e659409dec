import { type Running, type ServiceConfig, serviceSettings, startService } from '@gatehouse/proto/service.ts'

/** The settings of the partners service. */
export const settings = serviceSettings

/** The partners service: partners, invitation types, campaigns and their access tokens. */
export function start(config: ServiceConfig): Promise<Running> {
  return startService('partners', config, async () => ({}))
}
