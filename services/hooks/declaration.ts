import { resourcesIn } from '@gatehouse/proto/declaring/resource.ts'
import type { ServiceDeclaration } from '@gatehouse/proto/declaring/service.ts'
import * as resources from './resources.ts'

/** What others know of the hooks service. */
export const declaration: ServiceDeclaration = {
  title: 'Webhooks',
  resources: resourcesIn(resources),
  credentials: ['MONGODB_URL', 'SECRETS_KEY'],
  isBackground: true,
  needs: 'NATS with JetStream, MongoDB; sends HTTP to the outside',
  // Webhooks lead to any port.
  size: {
    cpu: '50m',
    memory: 224,
    processes: [2, 6],
    queue: { stream: 'domain', consumer: 'hooks', perProcess: 500 },
    internet: 'every port',
  },
}
