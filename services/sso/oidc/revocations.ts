import type { Log } from '@gatehouse/proto/process/log.ts'
import type { AuditStore } from '../audit/store.ts'
import type { Revoked } from './adapter.ts'
import { Provider } from './library.ts'

/** Writes down whose token or grant was revoked. */
export type RecordRevocation = (revoked: Revoked) => void

/**
 * Makes what writes down that an app revoked a token, or that all that a contact allowed an app was revoked because a refresh token was,
 * or because a code or refresh token came twice. What ends with a session is written down as a sign-out.
 */
export function revocationRecorder(
  account_id: string,
  { audit, log }: { audit: AuditStore; log: Log },
): RecordRevocation {
  return ({ contact_id = null, client_id = null }) => {
    const oidc = Provider.ctx?.oidc
    if (oidc?.route === 'end_session_confirm' && oidc.params?.logout) return
    audit
      .record({ account_id, kind: 'revocation', contact_id, client_id })
      .catch((error: Error) => log.error({ err: error }, 'a revocation could not be recorded'))
  }
}
