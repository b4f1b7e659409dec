import type { SignedInDependencies } from '../console/dependencies.ts'
import { type ShownPasskey, shown } from './shown.ts'

/** Lists the own passkeys. */
export async function list({ passkeyStore, signedIn }: SignedInDependencies): Promise<ShownPasskey[]> {
  return (await passkeyStore.ofContact(signedIn.contact)).map(shown)
}
