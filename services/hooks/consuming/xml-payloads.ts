import { datetime, identifier, maybe, record, type SchemaNode, text } from '@gatehouse/proto/declaring/fields.ts'
import type { EventType } from '@gatehouse/proto/events/domain-events.ts'
import type { TProperties, TSchema } from 'typebox'
import type { Webhook } from '../webhooks/resource.ts'
import { eventItemsOf, itemOf } from './event-items.ts'

/** Makes XML of a payload in JSON. What does so is loaded only where a receiver takes XML. */
export type ToXml = (json: string) => string

/** Whether a receiver takes XML: the path of its address ends so. */
export function takesXml(url: string): boolean {
  return URL.parse(url)?.pathname.toLowerCase().endsWith('.xml') ?? false
}

const writers = new Map<string, Promise<ToXml>>()

/** Returns what makes XML of the payloads of an event. */
export function xmlPayloads(type: EventType, form: Webhook['payload']): Promise<ToXml> {
  return writers.getOrInsertComputed(`${type} ${form}`, async () => {
    const { xmlWriterOf } = await import('@gatehouse/proto/formats/xml.ts')
    const { of, item } = await eventItemsOf(type)
    const [schema, root] = form === 'standard' ? [standard(item), 'event'] : [await legacy(item), of.one]
    const write = xmlWriterOf(schema as unknown as SchemaNode, root, '')
    return (json) => write(JSON.parse(json))
  })
}

function standard(data: TSchema): TSchema {
  return record({ type: text(), timestamp: datetime(), event_id: identifier(), data })
}

async function legacy(item: TSchema): Promise<TSchema> {
  const { guests } = await import('@gatehouse/guests/resources')
  const enclosed = record({ _type: text(), ...propertiesOf(itemOf(guests.actions.of_uids.reply)) })
  return record({ _type: text(), ...propertiesOf(item), guest: maybe(enclosed) })
}

function propertiesOf(schema: TSchema): TProperties {
  return (schema as unknown as { properties: TProperties }).properties
}
