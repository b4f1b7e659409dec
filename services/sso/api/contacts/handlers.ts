import { type Handlers, handlersOf } from '@gatehouse/proto/declaring/resource.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import { unbound } from '../../callers.ts'
import type { Dependencies } from '../dependencies.ts'
import { create } from './create.ts'
import { importFile } from './import.ts'
import { removeContact } from './removal.ts'
import type { contacts } from './resource.ts'
import { shown, shownContact } from './shown.ts'
import { update } from './update.ts'

/** Returns the handlers of contacts. */
export function contactHandlers(dependencies: Dependencies): Handlers<typeof contacts> {
  return handlersOf<typeof contacts, Dependencies>(
    {
      async list(of, { query, caller }) {
        const { account_id } = unbound(caller)
        const fields = await of.fields.ofAccount(account_id)
        return (await of.contacts.page(account_id, query, query)).map((contact) => shown(contact, fields))
      },
      read: async (of, { params, caller }) =>
        shownContact(of, found(await of.contacts.get(unbound(caller).account_id, params.id))),
      create,
      import: importFile,
      update,
      delete: async (of, { params, caller }) =>
        shownContact(of, await removeContact(of, unbound(caller).account_id, params.id)),
      with_addresses: async (of, { body: { account_id, emails } }) =>
        (await of.contacts.withEmails(account_id, emails)).map((_id) => ({ _id })),
    },
    dependencies,
  )
}
