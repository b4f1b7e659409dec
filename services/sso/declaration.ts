import { resourcesIn } from '@gatehouse/proto/declaring/resource.ts'
import type { ServiceDeclaration } from '@gatehouse/proto/declaring/service.ts'
import * as resources from './resources.ts'

/** What others know of the sso service. */
export const declaration: ServiceDeclaration = {
  title: 'Account and single sign-on',
  resources: resourcesIn(resources),
  credentials: ['MONGODB_URL', 'SECRETS_KEY', 'SMTP_URL', 'DKIM_PRIVATE_KEY'],
}
