import { type Handlers, handlersOf, required } from '@gatehouse/proto/declaring/resource.ts'
import type { Dependencies } from '../dependencies.ts'
import { bootstrap } from './bootstrap.ts'
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
        const { color = null, name = null, reply_to_email = null } = (await of.accounts.get(body.account_id)) ?? {}
        return { color, name, reply_to_email }
      },
      read: async (of, { caller }) => shown(await of.accounts.get(required(caller).account_id)),
      update,
    },
    dependencies,
  )
}
