import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { Fault, type FieldErrors } from '@gatehouse/proto/declaring/faults.ts'
import { type Message, messageOf } from '@gatehouse/proto/declaring/messages.ts'
import { type Caller, checkReach, type Handlers, required } from '@gatehouse/proto/declaring/resource.ts'
import { timeZoneErrors } from '@gatehouse/proto/declaring/time-zones.ts'
import { hookUrlError } from '@gatehouse/proto/declaring/webhook-urls.ts'
import { found, newTimes } from '@gatehouse/proto/storage/documents.ts'
import type { Encrypter } from '@gatehouse/proto/storage/encryption.ts'
import { isFound, queryWords } from '@gatehouse/proto/storage/search-words.ts'
import type { BadgeOrderQueue } from '../badge-orders/order-queue.ts'
import type { CategoryKey } from '../guest-categories/store.ts'
import { totalOf } from '../guests/guest-counts.ts'
import type { GuestStore } from '../guests/store.ts'
import { checkIns } from '../permissions.ts'
import { newCiphering, openCiphering } from './ciphering.ts'
import type { Event, events } from './resource.ts'
import type { EventStore, StoredEvent } from './store.ts'

interface EventHandlerOptions {
  store: EventStore
  guests: GuestStore
  orderQueue: BadgeOrderQueue
  bus: Bus
  encrypter: Encrypter
  /** Whether a badge hook may have an address that is not public. */
  allowPrivateHooks: boolean
}

type CheckedFields = Partial<
  Pick<Event, 'account_id' | 'badge_complete_hook_url' | 'platform_event_id' | 'timezone' | 'start_date' | 'end_date'>
>

/** Handlers of events. The gateway has already checked that the event of a path is the caller's. */
export function eventHandlers({
  store,
  guests,
  orderQueue,
  bus,
  encrypter,
  allowPrivateHooks,
}: EventHandlerOptions): Handlers<typeof events> {
  const checkInClient = clientOf(bus, checkIns)

  /** Adds the counts, in one call for all events. */
  async function counted(stored: StoredEvent[]): Promise<Event[]> {
    if (stored.length === 0) return []
    const event_ids = stored.map(({ _id }) => _id)
    const [guestCounts, doorCounts] = await Promise.all([
      guests.count(event_ids),
      checkInClient.counts({ body: { event_ids } }),
    ])
    const byEvent = new Map(doorCounts.map(({ event_id, ...counts }) => [event_id, counts]))
    return stored.map((event) => ({
      ...event,
      guest_count: totalOf(guestCounts.get(event._id)),
      ...(byEvent.get(event._id) ?? { check_in_count: 0, signature_count: 0 }),
    }))
  }

  async function countedOne(event: StoredEvent): Promise<Event> {
    return found((await counted([event]))[0])
  }

  /**
   * The error of a platform event, or undefined. It must be another event of the account that the caller may change, since campaigns make
   * discount codes there. The stored one is always accepted.
   */
  async function platformError(given: string, caller: Caller, itself?: string): Promise<Message | undefined> {
    if (given === itself) return messageOf('references_itself')
    if (itself !== undefined && (await store.get(itself))?.platform_event_id === given) return undefined
    // Checked before the lookup, so that a bound token does not learn which events exist.
    checkReach(caller, given)
    const platform = await store.get(given)
    return platform?.account_id === caller.account_id
      ? undefined
      : messageOf('unknown_reference', { thing: 'an event', owner: 'account' })
  }

  /** The errors that the schema cannot express. */
  async function errorsOf(given: Partial<CheckedFields>, caller: Caller, itself?: string): Promise<FieldErrors> {
    const { account_id = caller.account_id, badge_complete_hook_url: hook, platform_event_id: platform } = given
    const found = {
      account_id: account_id === caller.account_id ? undefined : messageOf('other_account'),
      badge_complete_hook_url: hook ? hookUrlError(hook, allowPrivateHooks) : undefined,
      platform_event_id: platform?.trim() ? await platformError(platform, caller, itself) : undefined,
    }
    const errors = Object.entries(found).flatMap(([field, error]) => (error ? [[field, [error]]] : []))
    const stored = itself === undefined ? null : await store.get(itself)
    return {
      ...Object.fromEntries(errors),
      ...timeZoneErrors(given.timezone, stored?.timezone),
      ...dateErrors(given, stored),
    }
  }

  /** Marks the categories whose badges have a QR code, if a change switches ciphering on or off. */
  async function toReprint(event_id: string, isCiphered: boolean | undefined): Promise<CategoryKey[]> {
    if (isCiphered === undefined) return []
    const event = await store.get(event_id)
    return event && event.qr_code_ciphering_enabled !== isCiphered ? orderQueue.markEvent(event_id) : []
  }

  return {
    async list({ caller, query }) {
      const { account_id, event_id } = required(caller)
      const words = queryWords(query.search ?? '')
      const events = await store.ofAccount(account_id, event_id)
      // Searched here and not in the database: an account has few events.
      return counted(events.filter(({ title, organizer }) => isFound(words, title, organizer)))
    },

    read: async ({ params }) => countedOne(found(await store.get(params.event_id))),

    async create({ body: given, accept, caller, newId }) {
      if (required(caller).event_id) throw new Fault('forbidden')
      const body = await accept(await errorsOf(given, required(caller)))
      const ciphering = body.qr_code_ciphering_enabled && { ciphering: newCiphering(encrypter) }
      const event = await store.insert({
        _id: newId(),
        ...body,
        ...platformOf(body),
        ...ciphering,
        ...newTimes(),
      })
      return { ...event, guest_count: 0, check_in_count: 0, signature_count: 0 }
    },

    async update({ params, body: given, accept, caller }) {
      const body = await accept(await errorsOf(given, required(caller), params.event_id))
      if (body.qr_code_ciphering_enabled) await store.provideCiphering(params.event_id, newCiphering(encrypter))
      // Marked before the write and ordered after it, so that badges are made anew even if this process dies in between.
      const reprinted = await toReprint(params.event_id, body.qr_code_ciphering_enabled)
      const event = found(await store.update(params.event_id, { ...body, ...platformOf(body) }))
      orderQueue.orderForAll(reprinted)
      return () => countedOne(event)
    },

    async owner({ body }) {
      const event = await store.get(body.event_id)
      return { account_id: event?.account_id ?? null }
    },

    campaign_terms: async ({ body }) => found(await store.get(body.event_id)),

    async badge_hook({ body }) {
      const event = await store.get(body.event_id)
      return { url: event?.badge_complete_hook_url || null }
    },

    async network({ body }) {
      const { network_enabled } = found(await store.get(body.event_id))
      return { network_enabled }
    },

    async ciphering({ body }) {
      const event = found(await store.get(body.event_id))
      if (!event.qr_code_ciphering_enabled || !event.ciphering)
        return { enabled: false, for_devices: false, key: null, iv: null }
      const for_devices = event.device_qr_code_key_enabled
      return { enabled: true, for_devices, ...openCiphering(encrypter, event.ciphering) }
    },
  }
}

/** The error of dates that do not fit each other, or the stored ones. Stored ones that do not may stay. */
function dateErrors(given: Pick<CheckedFields, 'start_date' | 'end_date'>, stored: StoredEvent | null): FieldErrors {
  if (given.start_date === undefined && given.end_date === undefined) return {}
  const { start_date, end_date } = { ...stored, ...given }
  const isUnchanged = stored && isSame(start_date, stored.start_date) && isSame(end_date, stored.end_date)
  const isWrong = start_date && end_date && end_date < start_date && !isUnchanged
  return isWrong ? { end_date: [messageOf('before_start_date')] } : {}
}

function isSame(one: Date | null | undefined, other: Date | null): boolean {
  return (one?.getTime() ?? null) === (other?.getTime() ?? null)
}

/** The platform event as it is stored: null if it is blank. */
function platformOf({ platform_event_id }: { platform_event_id?: string | null }): {
  platform_event_id?: string | null
} {
  return platform_event_id === undefined
    ? {}
    : { platform_event_id: platform_event_id?.trim() ? platform_event_id : null }
}
