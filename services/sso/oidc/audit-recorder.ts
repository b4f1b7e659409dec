import type { Log } from '@gatehouse/proto/process/log.ts'
import type { AuditEntry, AuditStore } from '../api/audit/store.ts'
import type { Revoked } from './adapter.ts'
import { Provider } from './library.ts'

/** Records in the audit log of an account what oidc-provider does by itself. Nothing waits for it; failures are logged. */
export function auditRecorder(account_id: string, { audit, log }: { audit: AuditStore; log: Log }) {
  function record(entry: Omit<AuditEntry, 'account_id'>): void {
    audit
      .record({ account_id, ...entry })
      .catch((error: Error) => log.error({ err: error }, 'an audit entry could not be stored'))
  }

  return {
    /**
     * A token or grant was revoked: by an app, or because a code or refresh token came twice. What ends with a session is a sign-out instead.
     */
    revocation({ contact_id = null, client_id = null }: Revoked): void {
      const oidc = Provider.ctx?.oidc
      if (oidc?.route === 'end_session_confirm' && oidc.params?.logout) return
      record({ kind: 'revocation', contact_id, client_id })
    },

    signOut(contact_id: string, address: string | undefined): void {
      record({ kind: 'sign_out', contact_id, address: address ?? null })
    },
  }
}
