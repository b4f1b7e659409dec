import { resourcesIn } from '@gatehouse/proto/declaring/resource.ts'
import type { ServiceDeclaration } from '@gatehouse/proto/declaring/service.ts'
import * as resources from './resources.ts'

/** What others know of the promo service. */
export const declaration: ServiceDeclaration = {
  title: 'Discount codes',
  resources: resourcesIn(resources),
  credentials: ['MONGODB_URL'],
}
