import { notFound } from '@gatehouse/proto/declaring/faults.ts'
import type { Call } from '@gatehouse/proto/declaring/resource.ts'
import type { consoleActions } from '../console/actions.ts'
import type { SignedInDependencies } from '../console/dependencies.ts'
import { recordPasskey } from './recording.ts'

/** Deletes an own passkey. */
export async function deletePasskey(
  dependencies: SignedInDependencies,
  { params: { id } }: Call<(typeof consoleActions)['deletePasskey']>,
): Promise<undefined> {
  const { account, passkeyStore, signedIn } = dependencies
  if (!(await passkeyStore.delete(account._id, signedIn.contact._id, id))) throw notFound()
  await recordPasskey(dependencies, 'passkey_deleted')
}
