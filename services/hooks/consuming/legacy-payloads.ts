import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import type { DomainMessage, EventType } from '@gatehouse/proto/events/domain-events.ts'
import { guests } from '../permissions.ts'

/** `_type` of items in the legacy form. */
const LEGACY_TYPES: Record<EventType, string> = {
  'check_in.created': 'AccessControl',
  'check_in.deleted': 'AccessControl',
  'guest.created': 'Guest',
  'guest.updated': 'Guest',
  'guest.deleted': 'Guest',
  'lead.created': 'Connection',
  'badge.completed': 'Guest',
  'partner_campaign.paused': 'PartnerCampaign',
  'registration.pending': 'PartnerInvitation',
}

/** An item of a domain event. */
export interface EventItem {
  message: DomainMessage
  item: DomainMessage['items'][number]
}

/** Payloads of legacy webhooks: the item itself with its `_type`. */
export class LegacyPayloads {
  readonly #guests

  constructor(bus: Bus) {
    this.#guests = clientOf(bus, guests)
  }

  /**
   * Reads the guests to which items refer by uid. Returns the function that serializes an item as JSON, with its current `guest` or null.
   * The guests service leaves fields out of large guests.
   */
  async of(items: EventItem[]): Promise<(one: EventItem) => string> {
    const byEvent = Map.groupBy(items, ({ message }) => message.event_id)
    const asked = [...byEvent].map(async ([id, ofEvent]) => [id, await this.#guestsOf(id, ofEvent)] as const)
    const guestsOf = new Map(await Promise.all(asked))
    return ({ message: { type, event_id }, item }) => {
      const uid = uidOf(item)
      const nested = uid === undefined ? {} : { guest: guestsOf.get(event_id)?.get(uid) ?? null }
      return JSON.stringify({ _type: LEGACY_TYPES[type], ...item, ...nested })
    }
  }

  async #guestsOf(event_id: string, items: EventItem[]): Promise<Map<string, object>> {
    const uids = [...new Set(items.flatMap(({ item }) => uidOf(item) ?? []))]
    if (uids.length === 0) return new Map()
    const found = await this.#guests.of_uids({ body: { event_id, uids } })
    return new Map(found.map((guest) => [guest.uid, { _type: 'Guest', ...guest }]))
  }
}

/** The uid by which an item refers to a guest; undefined if it refers to none. */
function uidOf(item: object): string | undefined {
  return 'guest_uid' in item && typeof item.guest_uid === 'string' ? item.guest_uid : undefined
}
