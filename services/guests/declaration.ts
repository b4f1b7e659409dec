import { resourcesIn } from '@gatehouse/proto/declaring/resource.ts'
import type { ServiceDeclaration } from '@gatehouse/proto/declaring/service.ts'
import { CHANGE_LOG_KEYS } from '@gatehouse/proto/storage/change-log-keys.ts'
import * as resources from './resources.ts'

/** What others know of the guests service. */
export const declaration: ServiceDeclaration = {
  title: 'Events and guests',
  resources: resourcesIn(resources),
  credentials: ['MONGODB_URL', 'REDIS_URL', 'SECRETS_KEY'],
  redisKeys: CHANGE_LOG_KEYS,
}
