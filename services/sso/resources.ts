import { accounts } from './accounts/resource.ts'
import { apiTokens } from './api-tokens/resource.ts'

export { accounts, apiTokens }

/** What the sso service serves. */
export const resources = [accounts, apiTokens]
