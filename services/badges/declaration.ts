import { resourcesIn } from '@gatehouse/proto/declaring/resource.ts'
import type { ServiceDeclaration } from '@gatehouse/proto/declaring/service.ts'
import * as resources from './resources.ts'

/** What others know of the badges service. */
export const declaration: ServiceDeclaration = {
  title: 'Badges and files',
  resources: resourcesIn(resources),
  credentials: ['MONGODB_URL', 'SECRETS_KEY'],
  isBackground: true,
  // Apple's push notification service, and Google Wallet.
  internet: 443,
}
