import type { Call, Output } from '@gatehouse/proto/declaring/resource.ts'
import * as topics from '../../topics.ts'
import { issueToken } from '../api-tokens/issue.ts'
import type { Dependencies } from '../dependencies.ts'
import type { accounts } from './resource.ts'

type Bootstrap = (typeof accounts)['actions']['bootstrap']

/** Admin tokens of `bootstrap` that stay valid; older ones are revoked. */
const KEPT_TOKENS = 10

/** Creates the account if there is none, and an admin token for it. */
export async function bootstrap(
  { accounts, tokens, bus }: Dependencies,
  { body, newId }: Call<Bootstrap>,
): Promise<Output<Bootstrap>> {
  const { _id: account_id } = await accounts.findOrCreate(body.slug)
  const fields = { name: 'bootstrap', scope: 'admin', event_id: null, bootstrap: true } as const
  const { token } = await issueToken(tokens, newId(), account_id, fields)
  const issued = (await tokens.ofAccount(account_id)).filter((each) => each.bootstrap)
  const old = issued.slice(KEPT_TOKENS).map(({ _id }) => _id)
  await bus.announcing(topics.tokens, 'revoked', tokens.deleteMany(account_id, old))
  return { account_id, auth_token: token, earlier_tokens: issued.length - old.length - 1 }
}
