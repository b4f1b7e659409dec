import type { Log } from '@gatehouse/proto/log.ts'
import type { Provider } from 'oidc-provider'
import type { AuditStore } from '../audit/store.ts'

/**
 * Has it written down when an app revokes a token, and when all that a contact allowed an app is revoked because a refresh token is, or
 * because a code or refresh token comes twice. What ends with a session is written down as a sign-out.
 */
export function recordRevocations(
  provider: Provider,
  account_id: string,
  { audit, log }: { audit: AuditStore; log: Log },
): void {
  const note = ({ accountId, clientId }: { accountId?: string | undefined; clientId?: string | undefined }): void => {
    audit
      .note({ account_id, kind: 'revocation', contact_id: accountId ?? null, client_id: clientId ?? null })
      .catch((error: Error) => log.error({ err: error }, 'a revocation could not be recorded'))
  }
  provider.on('access_token.destroyed', note)
  provider.on('grant.revoked', (ctx) => {
    const { RefreshToken, AuthorizationCode } = ctx.oidc.entities
    const cause = RefreshToken ?? AuthorizationCode
    if (cause) note(cause)
  })
}
