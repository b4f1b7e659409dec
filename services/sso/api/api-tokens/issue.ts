import { invalid } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import { hashOfToken, newToken } from '@gatehouse/proto/storage/tokens.ts'
import type { ApiToken, ApiTokenStore } from './store.ts'

/** Issues a token of 256 random bits. Only the answer holds it. Throws `invalid` if the account has the maximum. */
export async function issueToken(
  tokens: ApiTokenStore,
  _id: string,
  account_id: string,
  fields: Pick<ApiToken, 'name' | 'scope' | 'event_id' | 'bootstrap'>,
): Promise<ApiToken & { token: string }> {
  const token = newToken('gh_')
  const stored = { _id, account_id, ...fields, hash: hashOfToken(token), created_at: new Date() }
  if (!(await tokens.put(stored)))
    throw invalid({ tokens: [messageOf('account_limit', { limit: tokens.cap, act: 'revoke' })] })
  return { ...stored, token }
}
