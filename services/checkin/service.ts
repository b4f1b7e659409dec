import { text } from '@gatehouse/proto/fields.ts'
import { type Running, type ServiceConfig, serviceSettings, startService } from '@gatehouse/proto/service.ts'

export const settings = { ...serviceSettings, redis_url: text({ maxLength: 2000 }) }

/** The settings of the checkin service. */
export interface CheckinConfig extends ServiceConfig {
  redis_url: string
}

/** The checkin service: check-in points, links, check-ins, signatures. */
export function start(config: CheckinConfig): Promise<Running> {
  return startService('checkin', config, async () => ({}))
}
