import { guests } from '@gatehouse/guests/resources'
import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import type { DomainMessage, EventType } from '@gatehouse/proto/events/domain-events.ts'

/** What the older form calls the things that are told of. */
const LEGACY_TYPES: Record<EventType, string> = {
  'check_in.created': 'AccessControl',
  'guest.created': 'Guest',
  'guest.updated': 'Guest',
  'guest.deleted': 'Guest',
  'lead.created': 'Connection',
  'badge.completed': 'Guest',
}

/** An item of a message. */
export interface EventItem {
  message: DomainMessage
  item: DomainMessage['items'][number]
}

/** What happens in the older form of webhooks: the thing itself, with its `_type`. */
export class LegacyPayloads {
  readonly #guests

  constructor(bus: Bus) {
    this.#guests = clientOf(bus, guests)
  }

  /**
   * Asks for the guests to which some items refer by uid, and gives what makes of an item what receivers get, as JSON: with that `guest` inside,
   * as it is now, or null. A large guest lacks what the guests service leaves out of it.
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
    return new Map(found.map((guest) => [guest.uid, guest]))
  }
}

/** The uid by which a thing refers to a guest; undefined where it refers to none. */
function uidOf(item: object): string | undefined {
  return 'guest_uid' in item && typeof item.guest_uid === 'string' ? item.guest_uid : undefined
}
