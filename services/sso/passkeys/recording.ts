import type { SignedInDependencies } from '../console/dependencies.ts'

/** Records a change of an own passkey in the account's audit log. */
export function recordPasskey(
  { audit, account, signedIn, address }: SignedInDependencies,
  kind: 'passkey_created' | 'passkey_renamed' | 'passkey_deleted',
): Promise<void> {
  return audit.record({ account_id: account._id, kind, contact_id: signedIn.contact._id, address })
}
