import { type FieldErrors, invalid } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import { type Call, required } from '@gatehouse/proto/declaring/resource.ts'
import { hookUrlError } from '@gatehouse/proto/declaring/webhook-urls.ts'
import { newTimes } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../dependencies.ts'
import type { Webhook, webhooks } from './resource.ts'

type Create = typeof webhooks.actions.create

/** Creates a webhook, unless its account has the maximum. */
export async function create(
  dependencies: Dependencies,
  { caller, body: given, accept, newId }: Call<Create>,
): Promise<Webhook> {
  const { webhooks, wanted } = dependencies
  const { account_id } = required(caller)
  const body = await accept(await errorsOf(dependencies, account_id, given))
  const webhook = await webhooks.insert({ _id: newId(), ...body, account_id, ...newTimes() })
  if (!webhook) throw invalid({ webhooks: [messageOf('account_limit', { limit: webhooks.cap, act: 'delete' })] })
  if (webhook.is_enabled) await wanted.add(webhook.event_types)
  return webhook
}

/** The errors of a webhook that the schema cannot express. */
export async function errorsOf(
  { eventClient, allowPrivate }: Dependencies,
  account_id: string,
  { url, event_id }: Call<Create>['body'],
): Promise<FieldErrors> {
  const errors: FieldErrors = {}
  const urlError = url !== undefined && hookUrlError(url, allowPrivate)
  if (urlError) errors.url = [urlError]
  // An empty id is refused too: it must not subscribe a webhook to all events.
  if (event_id !== undefined && event_id !== null) {
    const owner = await eventClient.owner({ body: { event_id } })
    if (owner.account_id !== account_id)
      errors.event_id = [messageOf('unknown_reference', { thing: 'an event', owner: 'account' })]
  }
  return errors
}
