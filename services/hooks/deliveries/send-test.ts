import { identifier, optionalIdentifier, record, type SchemaNode, text } from '@gatehouse/proto/declaring/fields.ts'
import { type Call, required } from '@gatehouse/proto/declaring/resource.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import { takesXml } from '../consuming/xml-payloads.ts'
import type { Dependencies } from '../dependencies.ts'
import type { Webhook } from '../webhooks/resource.ts'
import { type deliveries, TEST } from './resource.ts'
import type { NewDelivery, StoredDelivery } from './store.ts'

type Test = typeof deliveries.actions.test

const MESSAGE = 'This is a test'
const data = { _id: identifier(), message: text() }
const standard = record({ type: text(), timestamp: text(), event_id: optionalIdentifier(), data: record(data) })
const legacy = record({ _type: text(), ...data })

/** Queues a delivery that says that it is a test. It is sent, retried and listed as any other. */
export async function test(
  { webhooks, deliveries, dispatcher }: Dependencies,
  { caller, params: { webhook_id }, newId }: Call<Test>,
): Promise<StoredDelivery> {
  const { account_id } = required(caller)
  const webhook = found(await webhooks.get(account_id, webhook_id))
  const [_id, created_at] = [newId(), new Date()]
  const delivery: NewDelivery = {
    ...{ _id, account_id, webhook_id, event_id: webhook.event_id, created_at },
    event_type: TEST,
    payload: await payloadOf(webhook, _id, created_at),
  }
  for await (const stored of deliveries.insert([delivery], (id) => dispatcher.offerClaim(id)))
    dispatcher.dispatch(stored)
  return found(await deliveries.get(account_id, webhook_id, _id))
}

/** The payload in the form and format that the webhook gets. */
async function payloadOf({ url, payload, event_id }: Webhook, _id: string, at: Date): Promise<string> {
  const isStandard = payload === 'standard'
  const about = { _id, message: MESSAGE }
  const json = isStandard
    ? { type: TEST, timestamp: at.toISOString(), event_id, data: about }
    : { _type: 'Test', ...about }
  if (!takesXml(url)) return JSON.stringify(json)
  const { xmlWriterOf } = await import('@gatehouse/proto/formats/xml.ts')
  return xmlWriterOf((isStandard ? standard : legacy) as unknown as SchemaNode, isStandard ? 'event' : TEST, '')(json)
}
