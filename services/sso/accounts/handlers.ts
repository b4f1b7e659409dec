import type { Handlers } from '@gatehouse/proto/resource.ts'
import type { TokenIssuer } from '../api-tokens/handlers.ts'
import type { accounts } from './resource.ts'
import type { AccountStore } from './store.ts'

/** Admin tokens that `bootstrap` leaves valid; older ones of its own are revoked. */
const KEPT_TOKENS = 10

/** What the command line asks of accounts. */
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
  }
}
