import { type Handlers, handlersOf } from '@gatehouse/proto/declaring/resource.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import { unbound } from '../../callers.ts'
import * as topics from '../../topics.ts'
import type { Dependencies } from '../dependencies.ts'
import { create } from './create.ts'
import type { contactFields } from './resource.ts'
import { update } from './update.ts'

/** Returns the handlers of contact fields. */
export function contactFieldHandlers(dependencies: Dependencies): Handlers<typeof contactFields> {
  return handlersOf<typeof contactFields, Dependencies>(
    {
      list: ({ fields }, { caller }) => fields.ofAccount(unbound(caller).account_id),
      read: async ({ fields }, { params, caller }) => found(await fields.get(unbound(caller).account_id, params.id)),
      create,
      update,
      async delete({ fields, contacts, bus }, { params, caller }) {
        const { account_id } = unbound(caller)
        const deleting = fields.delete(account_id, params.id)
        const field = found(await bus.announcing(topics.contactFields, account_id, deleting))
        await contacts.removeField(account_id, field._id)
        return field
      },
    },
    dependencies,
  )
}
