import { type Handlers, handlersOf, required } from '@gatehouse/proto/declaring/resource.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../dependencies.ts'
import { create } from './create.ts'
import { deleteMember } from './delete.ts'
import { firstLink } from './first-link.ts'
import type { staffMembers } from './resource.ts'
import { rollLink } from './roll-link.ts'
import { withContact } from './shown.ts'
import { update } from './update.ts'

/** The slug of the account that a new system gets. */
const FIRST_ACCOUNT = 'events'

/** Returns the handlers of staff members. */
export function staffMemberHandlers(dependencies: Dependencies): Handlers<typeof staffMembers> {
  return handlersOf<typeof staffMembers, Dependencies>(
    {
      async list(of, { caller }) {
        const { account_id } = required(caller)
        return Promise.all((await of.staff.ofAccount(account_id)).map((member) => withContact(of, account_id, member)))
      },
      async read(of, { params, caller }) {
        const { account_id } = required(caller)
        return withContact(of, account_id, found(await of.staff.get(account_id, params.id)))
      },
      create,
      update,
      delete: deleteMember,
      roll_link: rollLink,
      async first_owner({ staff, accounts }) {
        const [isAnybodyOwner, account] = await Promise.all([staff.isAnybodyOwner(), accounts.onlyOr(FIRST_ACCOUNT)])
        return { is_missing: !isAnybodyOwner, account }
      },
      first_link: firstLink,
    },
    dependencies,
  )
}
