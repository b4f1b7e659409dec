import type { SignedInActions } from '../console/actions.ts'
import { create } from './create.ts'
import { deletePasskey } from './delete.ts'
import { list } from './list.ts'
import { options } from './options.ts'
import { rename } from './rename.ts'

/** What who is signed in may do with the own passkeys. */
export const passkeyActions: Omit<SignedInActions, 'session'> = {
  passkeys: list,
  passkeyOptions: options,
  createPasskey: create,
  renamePasskey: rename,
  deletePasskey,
}
