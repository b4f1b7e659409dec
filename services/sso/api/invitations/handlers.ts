import { type Handlers, handlersOf } from '@gatehouse/proto/declaring/resource.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import { unbound } from '../../callers.ts'
import type { Dependencies } from '../dependencies.ts'
import { create, openInvitation } from './create.ts'
import type { invitations } from './resource.ts'

/** Returns the handlers of invitations. */
export function invitationHandlers(dependencies: Dependencies): Handlers<typeof invitations> {
  return handlersOf<typeof invitations, Dependencies>(
    {
      async list({ contacts }, { params, caller }) {
        return openInvitation(found(await contacts.get(unbound(caller).account_id, params.contact_id)))
      },
      create,
    },
    dependencies,
  )
}
