import { guests } from '@gatehouse/guests/resources'
import type { Bus } from '@gatehouse/proto/bus.ts'
import { clientOf } from '@gatehouse/proto/calls.ts'
import type { DomainMessage, EventType } from '@gatehouse/proto/domain.ts'

/** What the older form calls the things that are told of. */
const LEGACY_TYPES: Record<EventType, string> = {
  'check_in.created': 'AccessControl',
  'guest.created': 'Guest',
  'guest.updated': 'Guest',
  'guest.deleted': 'Guest',
  'lead.created': 'Connection',
  'badge.completed': 'Guest',
}

/** Guests that are asked for at once: their metadata may be large. */
const ASKED_AT_ONCE = 250

/** What happens in the older form of webhooks: the thing itself, with its `_type`. */
export class LegacyPayloads {
  readonly #guests

  constructor(bus: Bus) {
    this.#guests = clientOf(bus, guests)
  }

  /** What receivers get, as JSON: of each item in turn. What refers to a guest by its uid has that `guest` inside, as it is now, or null. */
  async of({ type, event_id, items }: DomainMessage): Promise<string[]> {
    const byUid = await this.#guestsOf(event_id, items.flatMap(uidOf))
    return items.map((item) => {
      const [uid] = uidOf(item)
      const nested = uid === undefined ? {} : { guest: byUid.get(uid) ?? null }
      return JSON.stringify({ _type: LEGACY_TYPES[type], ...item, ...nested })
    })
  }

  async #guestsOf(event_id: string, all: string[]): Promise<Map<string, object>> {
    const uids = [...new Set(all)]
    const found = new Map<string, object>()
    for (let from = 0; from < uids.length; from += ASKED_AT_ONCE) {
      const body = { event_id, uids: uids.slice(from, from + ASKED_AT_ONCE) }
      for (const guest of await this.#guests.of_uids({ body })) found.set(guest.uid, guest)
    }
    return found
  }
}

/** The uid by which a thing refers to a guest; none where it refers to none. */
function uidOf(item: object): string[] {
  return 'guest_uid' in item && typeof item.guest_uid === 'string' ? [item.guest_uid] : []
}
