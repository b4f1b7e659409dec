import type { SchemaNode } from '@gatehouse/proto/declaring/fields.ts'
import type { Resource } from '@gatehouse/proto/declaring/resource.ts'
import type { EventType } from '@gatehouse/proto/events/domain-events.ts'
import type { TSchema } from 'typebox'

/** What the items of a domain event are: their resource, and the schema of one. */
export interface EventItems {
  of: Resource
  item: TSchema
}

/** The declarations of other services are loaded only where they are asked for. */
const itemsOf: Record<EventType, () => Promise<EventItems>> = {
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
}

/** Returns what the items of a domain event are. */
export function eventItemsOf(type: EventType): Promise<EventItems> {
  return itemsOf[type]()
}

async function checkIn(): Promise<EventItems> {
  const { checkIns } = await import('@gatehouse/checkin/resources')
  return { of: checkIns, item: checkIns.actions.create.reply }
}

async function guest(): Promise<EventItems> {
  const { guests } = await import('@gatehouse/guests/resources')
  return { of: guests, item: guests.actions.read.reply }
}

/** The schema of an item of a list. */
export function itemOf(list: TSchema): TSchema {
  return (list as unknown as SchemaNode).items as unknown as TSchema
}
