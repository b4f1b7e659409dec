import type { Bus } from '@gatehouse/proto/bus.ts'
import { invalid, notFound } from '@gatehouse/proto/faults.ts'
import { isDuplicate } from '@gatehouse/proto/mongo.ts'
import { type Handlers, type Output, required } from '@gatehouse/proto/resource.ts'
import type { TokenIssuer } from '../api-tokens/handlers.ts'
import type { Issuers } from '../issuers.ts'
import { announced } from '../remembered.ts'
import type { accounts } from './resource.ts'
import type { Account, AccountStore } from './store.ts'

/** Admin tokens that `bootstrap` leaves valid; older ones of its own are revoked. */
const KEPT_TOKENS = 10

/** What accounts do: the command line makes and finds them, their tokens see and change how and where they sign contacts in. */
export function accountHandlers(
  store: AccountStore,
  issuer: TokenIssuer,
  issuers: Issuers,
  mayTake: (sso_host: string) => boolean,
  bus: Bus,
): Handlers<typeof accounts> {
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
      const { account_id } = required(caller)
      const sso_host = body.sso_host?.toLowerCase()
      if (sso_host === issuers.hostname) throw invalid({ sso_host: ["is the gateway's own"] })
      if (sso_host && !mayTake(sso_host))
        throw invalid({ sso_host: ['is not a host name that accounts may take here'] })
      const changes = { ...body, ...(sso_host !== undefined && { sso_host }) }
      try {
        return shown(await announced(bus, 'accounts', account_id, store.update(account_id, changes)))
      } catch (error) {
        if (isDuplicate(error)) throw invalid({ sso_host: ['has already been taken'] })
        throw error
      }
    },
  }
}

function shown(account: Account | null): Output<(typeof accounts)['actions']['read']> {
  if (!account) throw notFound()
  const { _id, slug, name = null, color = null, locale = null, sso_host = null, created_at } = account
  return { _id, slug, name, color, locale, sso_host, created_at }
}
