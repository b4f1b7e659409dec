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
  needs: 'NATS with JetStream, an SMTP server, Redis with a rate',
  size: {
    cpu: '100m',
    memory: 224,
    processes: [2, 4],
    queue: { stream: 'mail', consumer: 'workers', perProcess: 8 },
  },
}
