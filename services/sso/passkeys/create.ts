import type { Call } from '@gatehouse/proto/declaring/resource.ts'
import type { consoleActions } from '../console/actions.ts'
import type { SignedInDependencies } from '../console/dependencies.ts'
import { boundTo } from './options.ts'
import { recordPasskey } from './recording.ts'
import { type ShownPasskey, shown } from './shown.ts'

/** Stores a passkey that the browser has made. */
export async function create(
  dependencies: SignedInDependencies,
  { body }: Call<(typeof consoleActions)['createPasskey']>,
): Promise<ShownPasskey> {
  const { passkeys, signedIn } = dependencies
  const made = await passkeys.register(signedIn.contact, body, boundTo(signedIn.session))
  await recordPasskey(dependencies, 'passkey_created')
  return shown(made)
}
