import { notFound } from '@gatehouse/proto/faults.ts'
import { type Handlers, type Output, required } from '@gatehouse/proto/resource.ts'
import type { TokenIssuer } from '../api-tokens/handlers.ts'
import type { accounts } from './resource.ts'
import type { Account, AccountStore } from './store.ts'

/** Admin tokens that `bootstrap` leaves valid; older ones of its own are revoked. */
const KEPT_TOKENS = 10

/** What accounts do: the command line makes and finds them, their tokens see and change how they look. */
export function accountHandlers(store: AccountStore, issuer: TokenIssuer): Handlers<typeof accounts> {
  return {
    async bootstrap({ body, newId }) {
      const account = await store.findOrCreate(body.slug)
      const fields = { name: 'bootstrap', scope: 'admin', event_id: null, bootstrap: true } as const
      const { token } = await issuer.issue(newId(), account._id, fields)
      await issuer.keepNewest(account._id, KEPT_TOKENS)
      return { account_id: account._id, auth_token: token }
    },

    async find({ body }) {
      const account = await store.find(body.slug)
      return { account_id: account?._id ?? null }
    },

    async read({ caller }) {
      return shown(await store.get(required(caller).account_id))
    },

    async update({ body, caller }) {
      return shown(await store.update(required(caller).account_id, body))
    },
  }
}

function shown(account: Account | null): Output<(typeof accounts)['actions']['read']> {
  if (!account) throw notFound()
  const { _id, slug, name = null, color = null, locale = null, created_at } = account
  return { _id, slug, name, color, locale, created_at }
}
