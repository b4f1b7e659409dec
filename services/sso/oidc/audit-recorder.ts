import type { Log } from '@gatehouse/proto/process/log.ts'
import type { AuditStore } from '../audit/store.ts'
import type { Revoked } from './adapter.ts'
import { Provider } from './library.ts'

/** Records in the audit log of an account what oidc-provider does by itself. Nothing waits for it; failures are logged. */
export class AuditRecorder {
  readonly #accountId: string
  readonly #audit: AuditStore
  readonly #log: Log

  constructor(accountId: string, { audit, log }: { audit: AuditStore; log: Log }) {
    this.#accountId = accountId
    this.#audit = audit
    this.#log = log
  }

  /**
   * A token or grant was revoked: by an app, or because a code or refresh token came twice. What ends with a session is a sign-out instead.
   */
  revocation({ contact_id = null, client_id = null }: Revoked): void {
    const oidc = Provider.ctx?.oidc
    if (oidc?.route === 'end_session_confirm' && oidc.params?.logout) return
    this.#record({ kind: 'revocation', contact_id, client_id })
  }

  signOut(contact_id: string, address: string | undefined): void {
    this.#record({ kind: 'sign_out', contact_id, address: address ?? null })
  }

  #record(entry: Omit<Parameters<AuditStore['record']>[0], 'account_id'>): void {
    this.#audit
      .record({ account_id: this.#accountId, ...entry })
      .catch((error: Error) => this.#log.error({ err: error }, 'an audit entry could not be stored'))
  }
}
