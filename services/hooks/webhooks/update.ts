import { type Call, required } from '@gatehouse/proto/declaring/resource.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../dependencies.ts'
import { errorsOf } from './create.ts'
import type { Webhook, webhooks } from './resource.ts'

type Update = typeof webhooks.actions.update

/** Changes a webhook. */
export async function update(
  dependencies: Dependencies,
  { caller, params: { id }, body: given, accept }: Call<Update>,
): Promise<Webhook> {
  const { webhooks, wanted } = dependencies
  const { account_id } = required(caller)
  found(await webhooks.get(account_id, id))
  const body = await accept(await errorsOf(dependencies, account_id, given))
  const webhook = found(await webhooks.update(account_id, id, body))
  if (webhook.is_enabled) await wanted.add(webhook.event_types)
  wanted.remove()
  return webhook
}
