import { type Handlers, handlersOf, required } from '@gatehouse/proto/declaring/resource.ts'
import type { Dependencies } from '../dependencies.ts'
import { bootstrap } from './bootstrap.ts'
import { delete_logo, logo, upload_logo } from './logos/handlers.ts'
import type { accounts } from './resource.ts'
import { shown } from './shown.ts'
import { update } from './update.ts'

/** Returns the handlers of accounts. The command line creates and finds accounts; their tokens read and change their sign-in pages. */
export function accountHandlers(dependencies: Dependencies): Handlers<typeof accounts> {
  return handlersOf<typeof accounts, Dependencies>(
    {
      bootstrap,
      find: async (of, { body }) => ({ account_id: (await of.accounts.find(body.slug))?._id ?? null }),
      async look(of, { body }) {
        const account = await of.accounts.get(body.account_id)
        if (!account) return { color: null, name: null, reply_to_email: null, logo_url: null }
        const { color, name, reply_to_email, logo_url } = shown(account, of.issuers)
        return { color, name, reply_to_email, logo_url }
      },
      read: async (of, { caller }) => shown(await of.accounts.get(required(caller).account_id), of.issuers),
      update,
      upload_logo,
      delete_logo,
      logo,
    },
    dependencies,
  )
}
