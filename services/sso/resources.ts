import { accounts } from './accounts/resource.ts'
import { apiTokens } from './api-tokens/resource.ts'
import { auditRecords } from './audit/resource.ts'
import { contactFields } from './contact-fields/resource.ts'
import { contacts } from './contacts/resource.ts'
import { invitations } from './invitations/resource.ts'
import { oauthApps } from './oauth-apps/resource.ts'

export { accounts, apiTokens, auditRecords, contactFields, contacts, invitations, oauthApps }

/** What the sso service serves. */
export const resources = [accounts, apiTokens, contacts, contactFields, invitations, oauthApps, auditRecords]
