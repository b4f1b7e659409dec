import { type Running, type ServiceConfig, serviceSettings, startService } from '@gatehouse/proto/service.ts'

/** The settings of the badges service. */
export const settings = serviceSettings

/** The badges service: QR codes, badges and guest files. */
export function start(config: ServiceConfig): Promise<Running> {
  return startService('badges', config, async () => ({}))
}
