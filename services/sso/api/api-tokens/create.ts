import { type Call, type Output, required } from '@gatehouse/proto/declaring/resource.ts'
import type { Dependencies } from '../dependencies.ts'
import { eventErrors } from '../event-errors.ts'
import { issueToken } from './issue.ts'
import type { apiTokens } from './resource.ts'

type Create = (typeof apiTokens)['actions']['create']

/** Creates an API token. An empty `event_id` is refused too: it must not make a token for all events. */
export async function create(
  { tokens, eventClient }: Dependencies,
  { body: { event_id = null }, accept, caller, newId }: Call<Create>,
): Promise<Output<Create>> {
  const { account_id } = required(caller)
  const body = await accept(await eventErrors(eventClient, account_id, event_id))
  return issueToken(tokens, newId(), account_id, body)
}
