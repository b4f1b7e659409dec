import type { SignedInDependencies } from '../console/dependencies.ts'

/** Returns what the browser needs to make a passkey. */
export async function options({
  passkeys,
  signedIn: { session, contact },
  account,
}: SignedInDependencies): Promise<Record<string, unknown>> {
  return passkeys.registration(contact, account.name || account.slug, boundTo(session))
}

/** What the challenge of a new passkey is bound to: the session that asked for it. */
export function boundTo({ _id }: SignedInDependencies['signedIn']['session']): string {
  return `console:${_id}`
}
