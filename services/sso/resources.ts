import { personalDataOf } from '@gatehouse/proto/privacy/personal-data.ts'
import { accounts } from './accounts/resource.ts'
import { apiTokens } from './api-tokens/resource.ts'
import { auditRecords } from './audit/resource.ts'
import { consoleCookieName, consoleHeaders, consolePages, SESSION_PREFIX, sessionIdIn } from './console/resource.ts'
import { contactFields } from './contact-fields/resource.ts'
import { contacts } from './contacts/resource.ts'
import { devices } from './devices/resource.ts'
import { invitations } from './invitations/resource.ts'
import { oauthApps } from './oauth-apps/resource.ts'
import { oidc, passedHeaders } from './oidc/resource.ts'
import { staffMembers } from './staff-members/resource.ts'

const personalData = personalDataOf('sso')

export {
  accounts,
  apiTokens,
  auditRecords,
  consoleCookieName,
  consoleHeaders,
  consolePages,
  contactFields,
  contacts,
  devices,
  invitations,
  oauthApps,
  oidc,
  passedHeaders,
  personalData,
  SESSION_PREFIX,
  sessionIdIn,
  staffMembers,
}

/** The resources of the sso service. */
export const resources = [
  accounts,
  apiTokens,
  devices,
  staffMembers,
  contacts,
  contactFields,
  invitations,
  oauthApps,
  auditRecords,
  oidc,
  consolePages,
  personalData,
]
