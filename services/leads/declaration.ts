import { resourcesIn } from '@gatehouse/proto/declaring/resource.ts'
import type { ServiceDeclaration } from '@gatehouse/proto/declaring/service.ts'
import * as resources from './resources.ts'

/** What others know of the leads service. */
export const declaration: ServiceDeclaration = {
  title: 'Exhibitors and leads',
  resources: resourcesIn(resources),
  credentials: ['MONGODB_URL', 'SECRETS_KEY'],
}
