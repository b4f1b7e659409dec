import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { type FieldErrors, invalid, notFound } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import { type Handlers, type Output, required } from '@gatehouse/proto/declaring/resource.ts'
import type { Issuers } from '../../issuers.ts'
import * as topics from '../../topics.ts'
import type { TokenIssuer } from '../api-tokens/handlers.ts'
import type { accounts } from './resource.ts'
import type { AccountStore, StoredAccount } from './store.ts'

/** Admin tokens of `bootstrap` that stay valid; older ones are revoked. */
const KEPT_TOKENS = 10

const HOST_TAKEN = { sso_host: [messageOf('taken')] }

/** The handlers of accounts. The command line creates and finds accounts; their tokens read and change their sign-in pages. */
export function accountHandlers(
  store: AccountStore,
  issuer: TokenIssuer,
  issuers: Issuers,
  mayTake: (sso_host: string) => boolean,
  bus: Bus,
): Handlers<typeof accounts> {
  function errorsOf(sso_host: string | undefined): FieldErrors {
    const mayHave = sso_host === undefined || (sso_host !== issuers.hostname && mayTake(sso_host))
    return mayHave ? {} : { sso_host: [messageOf('invalid_host')] }
  }

  /** The error for a host of another account. */
  async function takenHost(account_id: string, sso_host: string | undefined): Promise<FieldErrors> {
    const holder = sso_host === undefined ? null : await store.findByHost(sso_host)
    return holder && holder._id !== account_id ? HOST_TAKEN : {}
  }

  return {
    async bootstrap({ body, newId }) {
      const account = await store.findOrCreate(body.slug)
      const fields = { name: 'bootstrap', scope: 'admin', event_id: null, bootstrap: true } as const
      const { token } = await issuer.issue(newId(), account._id, fields)
      const kept = await issuer.keepNewest(account._id, KEPT_TOKENS)
      return { account_id: account._id, auth_token: token, earlier_tokens: kept - 1 }
    },

    async find({ body }) {
      const account = await store.find(body.slug)
      return { account_id: account?._id ?? null }
    },

    async look({ body }) {
      const account = await store.get(body.account_id)
      return { color: account?.color ?? null }
    },

    async read({ caller }) {
      return shown(await store.get(required(caller).account_id))
    },

    async update({ body: given, accept, caller }) {
      const { account_id } = required(caller)
      const sso_host = given.sso_host?.toLowerCase()
      const body = await accept(errorsOf(sso_host), () => takenHost(account_id, sso_host))
      const changes = { ...body, ...(sso_host !== undefined && { sso_host }) }
      const update = bus.announcing(topics.accounts, account_id, store.update(account_id, changes))
      // Gateways keep what their callers' accounts want.
      const account = await (body.answers_updates === undefined
        ? update
        : bus.announcing(topics.tokens, 'answers_updates', update))
      if (account === undefined) throw invalid(HOST_TAKEN)
      return shown(account)
    },
  }
}

function shown(account: StoredAccount | null): Output<(typeof accounts)['actions']['read']> {
  if (!account) throw notFound()
  const { _id, slug, name = null, color = null, locale = null, sso_host = null } = account
  const { answers_updates = false, created_at } = account
  return { _id, slug, name, color, locale, sso_host, answers_updates, created_at }
}
