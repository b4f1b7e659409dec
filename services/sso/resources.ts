import { personalDataOf } from '@gatehouse/proto/privacy/personal-data.ts'

// The sso service serves each resource which is exported here.
export { accounts } from './accounts/resource.ts'
export { apiTokens } from './api-tokens/resource.ts'
export { auditRecords } from './audit/resource.ts'
export { consoleActions, consoleRouteOf } from './console/actions.ts'
export { consoleCookieName, consoleHeaders, consolePages, SESSION_PREFIX, sessionIdIn } from './console/resource.ts'
export { contactFields } from './contact-fields/resource.ts'
export { contacts } from './contacts/resource.ts'
export { devices } from './devices/resource.ts'
export { invitations } from './invitations/resource.ts'
export { oauthApps } from './oauth-apps/resource.ts'
export { oidc, passedHeaders } from './oidc/resource.ts'
export { staffMembers } from './staff-members/resource.ts'

export const personalData = personalDataOf('sso')
