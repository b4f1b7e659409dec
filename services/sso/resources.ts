import { eventDataOf } from '@gatehouse/proto/declaring/event-data.ts'
import { personalDataOf } from '@gatehouse/proto/declaring/personal-data.ts'

// The sso service serves each resource that is exported here.
export { accounts } from './api/accounts/resource.ts'
export { apiTokens } from './api/api-tokens/resource.ts'
export { auditRecords } from './api/audit/resource.ts'
export { contactFields } from './api/contact-fields/resource.ts'
export { contacts } from './api/contacts/resource.ts'
export { devices } from './api/devices/resource.ts'
export { invitations } from './api/invitations/resource.ts'
export { oauthApps } from './api/oauth-apps/resource.ts'
export { staffMembers } from './api/staff-members/resource.ts'
export { consoleActions, consoleRouteOf } from './console/actions.ts'
export { consoleCookieName, consoleHeaders, consolePages, SESSION_PREFIX, sessionIdIn } from './console/resource.ts'
export { oidc, passedHeaders } from './oidc/resource.ts'

export const personalData = personalDataOf('sso')
export const eventData = eventDataOf('sso')
