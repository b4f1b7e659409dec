import { resourcesIn } from '@gatehouse/proto/declaring/resource.ts'
import type { ServiceDeclaration } from '@gatehouse/proto/declaring/service.ts'
import * as resources from './resources.ts'

/** What others know of the partners service. */
export const declaration: ServiceDeclaration = {
  title: 'Partners',
  resources: resourcesIn(resources),
  credentials: ['MONGODB_URL', 'SECRETS_KEY', 'MAIL_EVENTS_POSTMARK_LOGIN', 'MAIL_EVENTS_DSN_SECRET'],
  // Amazon's certificates, by which reports of e-mails are verified.
  internet: 443,
}
