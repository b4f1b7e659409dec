import { notFound } from '@gatehouse/proto/declaring/faults.ts'
import type { Call } from '@gatehouse/proto/declaring/resource.ts'
import type { consoleActions } from '../console/actions.ts'
import type { SignedInDependencies } from '../console/dependencies.ts'
import { recordPasskey } from './recording.ts'

/** Renames an own passkey. */
export async function rename(
  dependencies: SignedInDependencies,
  { params: { id }, body: { name } }: Call<(typeof consoleActions)['renamePasskey']>,
): Promise<undefined> {
  const { passkeyStore, signedIn } = dependencies
  if (!(await passkeyStore.rename(signedIn.contact, id, name))) throw notFound()
  await recordPasskey(dependencies, 'passkey_renamed')
}
