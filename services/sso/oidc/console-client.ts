import { createHmac } from 'node:crypto'
import { hashOfToken } from '@gatehouse/proto/storage/tokens.ts'
import type { AdapterPayload } from 'oidc-provider'

/** The client of the console, which every account has: it is in no list, and needs no consent. Those of apps are random. */
export const CONSOLE_CLIENT_ID = 'console'
/** What the console asks for: `max_age` is of OpenID Connect. */
export const CONSOLE_SCOPES = ['public', 'openid']

/** The console's secret at an account: all processes derive the same from the account's keys. */
export function consoleSecret(cookies: Buffer): string {
  return createHmac('sha256', cookies).update('console client').digest('base64url')
}

/** Where the console's sign-in comes back to. `consoleUrl` is the console's address, without a slash at its end. */
export function consoleCallback(consoleUrl: string): string {
  return `${consoleUrl}/callback`
}

/** The console as oidc-provider's client metadata. */
export function consoleClient(consoleUrl: string, cookies: Buffer): AdapterPayload {
  return {
    client_id: CONSOLE_CLIENT_ID,
    // Never compared, as with apps (clients.ts).
    client_secret: 'derived',
    client_name: 'Gatehouse',
    redirect_uris: [consoleCallback(consoleUrl)],
    response_types: ['code'],
    grant_types: ['authorization_code'],
    scope: CONSOLE_SCOPES.join(' '),
    token_endpoint_auth_method: 'client_secret_post',
    is_strict: true,
    secrets: [{ hash: hashOfToken(consoleSecret(cookies)), expires_at: null }],
  } as AdapterPayload
}
