import { resourcesIn } from '@gatehouse/proto/declaring/resource.ts'
import type { ServiceDeclaration } from '@gatehouse/proto/declaring/service.ts'
import * as resources from './resources.ts'

/** What others know of the hooks service. */
export const declaration: ServiceDeclaration = {
  title: 'Webhooks',
  resources: resourcesIn(resources),
  credentials: ['MONGODB_URL', 'SECRETS_KEY'],
  isBackground: true,
  // Webhooks lead to any port.
  internet: 'every port',
}
