import { datetime, identifier, maybe, record, type SchemaNode, text } from '@gatehouse/proto/declaring/fields.ts'
import type { Resource } from '@gatehouse/proto/declaring/resource.ts'
import type { EventType } from '@gatehouse/proto/events/domain-events.ts'
import type { TProperties, TSchema } from 'typebox'
import type { Webhook } from '../webhooks/resource.ts'

/** Makes XML of a payload in JSON. */
export type ToXml = (json: string) => string

/** What the items of an event are. The declarations of other services, and what writes XML, are loaded only where a receiver takes it. */
const itemsOf = {
  'check_in.created': checkIn,
  'check_in.deleted': checkIn,
  'guest.created': guest,
  'guest.updated': guest,
  'guest.deleted': guest,
  'badge.completed': guest,
  'lead.created': async () => {
    const { connections } = await import('@gatehouse/leads/resources')
    return { of: connections, item: itemOf(connections.actions.list.reply) }
  },
  'partner_campaign.paused': async () => {
    const { partnerCampaigns } = await import('@gatehouse/partners/resources')
    return { of: partnerCampaigns, item: partnerCampaigns.actions.create.reply }
  },
  'registration.pending': async () => {
    const { partnerInvitations } = await import('@gatehouse/partners/resources')
    return { of: partnerInvitations, item: itemOf(partnerInvitations.actions.list.reply) }
  },
} satisfies Record<EventType, () => Promise<{ of: Resource; item: TSchema }>>

async function checkIn() {
  const { checkIns } = await import('@gatehouse/checkin/resources')
  return { of: checkIns, item: checkIns.actions.create.reply }
}

async function guest() {
  const { guests } = await import('@gatehouse/guests/resources')
  return { of: guests, item: guests.actions.read.reply }
}

/** Whether a receiver takes XML: the path of its address ends so. */
export function takesXml(url: string): boolean {
  return URL.parse(url)?.pathname.toLowerCase().endsWith('.xml') ?? false
}

const writers = new Map<string, Promise<ToXml>>()

/** Returns what makes XML of the payloads of an event. */
export function xmlPayloads(type: EventType, form: Webhook['payload']): Promise<ToXml> {
  return writers.getOrInsertComputed(`${type} ${form}`, async () => {
    const { xmlWriterOf } = await import('@gatehouse/proto/formats/xml.ts')
    const { of, item } = await itemsOf[type]()
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

function itemOf(list: TSchema): TSchema {
  return (list as unknown as SchemaNode).items as unknown as TSchema
}
