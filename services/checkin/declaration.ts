import { resourcesIn } from '@gatehouse/proto/declaring/resource.ts'
import type { ServiceDeclaration } from '@gatehouse/proto/declaring/service.ts'
import { CHANGE_LOG_KEYS } from '@gatehouse/proto/storage/change-log-keys.ts'
import * as resources from './resources.ts'

/** What others know of the checkin service. */
export const declaration: ServiceDeclaration = {
  title: 'At the doors',
  resources: resourcesIn(resources),
  credentials: ['MONGODB_URL', 'REDIS_URL'],
  redisKeys: [...CHANGE_LOG_KEYS, '{*}:entered:*', '{*}:scan_times:*'],
}
