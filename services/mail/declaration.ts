import { resourcesIn } from '@gatehouse/proto/declaring/resource.ts'
import type { ServiceDeclaration } from '@gatehouse/proto/declaring/service.ts'
import * as resources from './resources.ts'

/** What others know of the mail service. */
export const declaration: ServiceDeclaration = {
  title: 'Mail',
  resources: resourcesIn(resources),
  credentials: ['REDIS_URL', 'SMTP_URL', 'DKIM_PRIVATE_KEY'],
  redisKeys: ['{mail}:*'],
  isBackground: true,
}
