import { checkIns } from '@gatehouse/checkin/resources'
import type { Bus } from '@gatehouse/proto/bus.ts'
import { clientOf } from '@gatehouse/proto/calls.ts'
import { Fault, invalid, notFound } from '@gatehouse/proto/faults.ts'
import { hookUrlError } from '@gatehouse/proto/hook-urls.ts'
import { type Caller, checkReach, type Handlers, required } from '@gatehouse/proto/resource.ts'
import type { Sealer } from '@gatehouse/proto/sealing.ts'
import type { BadgeDesk } from '../badge-orders/desk.ts'
import type { CategoryKey } from '../badge-orders/store.ts'
import { type GuestStore, totalOf } from '../guests/store.ts'
import { newCiphering, openCiphering } from './ciphering.ts'
import type { Event, events } from './resource.ts'
import type { EventStore, StoredEvent } from './store.ts'

/** What events work with. */
interface EventOptions {
  store: EventStore
  guests: GuestStore
  desk: BadgeDesk
  bus: Bus
  sealer: Sealer
  /** Whether a badge hook may be called at an address that is not public. */
  allowPrivateHooks: boolean
}

type Fields = Partial<Pick<Event, 'account_id' | 'badge_complete_hook_url' | 'platform_event_id'>>

/** What events do and refuse. The gateway has already checked that an event of a path is the caller's. */
export function eventHandlers({
  store,
  guests,
  desk,
  bus,
  sealer,
  allowPrivateHooks,
}: EventOptions): Handlers<typeof events> {
  const checkInClient = clientOf(bus, checkIns)

  /** Adds the counts, with one call for all events. */
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

  async function countedOne(event: StoredEvent | null): Promise<Event> {
    const [found] = event ? await counted([event]) : []
    if (!found) throw notFound()
    return found
  }

  /**
   * What is wrong with a platform event; undefined when nothing is. It must be another event of the account, and one that the caller may touch,
   * since campaigns make discount codes there. Who sends what is stored changes nothing.
   */
  async function platformError(given: string, caller: Caller, itself?: string): Promise<string | undefined> {
    if (given === itself) return "can't be the event itself"
    if (itself !== undefined && (await store.get(itself))?.platform_event_id === given) return undefined
    // Before it is looked up: a bound token does not learn which events there are.
    checkReach(caller, given)
    const platform = await store.get(given)
    return platform?.account_id === caller.account_id ? undefined : 'is not an event of the account'
  }

  /** Checks what no field by itself can tell, and gives the fields as they are stored: a blank platform event is none. */
  async function checked<T extends Fields>(body: T, caller: Caller, itself?: string): Promise<T> {
    const { account_id = caller.account_id, badge_complete_hook_url: hook, platform_event_id: platform } = body
    const found = {
      account_id: account_id === caller.account_id ? undefined : 'is not your account',
      badge_complete_hook_url: hook ? hookUrlError(hook, allowPrivateHooks) : undefined,
      platform_event_id: platform?.trim() ? await platformError(platform, caller, itself) : undefined,
    }
    const errors = Object.entries(found).flatMap(([field, error]) => (error ? [[field, [error]]] : []))
    if (errors.length > 0) throw invalid(Object.fromEntries(errors))
    return platform === undefined || platform?.trim() ? body : { ...body, platform_event_id: null }
  }

  /** Notes the categories whose badges have a QR code that is ciphered otherwise from now on. */
  async function toReprint(event_id: string, isCiphered: boolean | undefined): Promise<CategoryKey[]> {
    if (isCiphered === undefined) return []
    const event = await store.get(event_id)
    return event && event.qr_code_ciphering_enabled !== isCiphered ? desk.noteEvent(event_id) : []
  }

  return {
    async list({ caller }) {
      const { account_id, event_id } = required(caller)
      return counted(await store.ofAccount(account_id, event_id))
    },

    async read({ params }) {
      return countedOne(await store.get(params.event_id))
    },

    async create({ body, caller, newId }) {
      if (required(caller).event_id) throw new Fault('forbidden')
      const fields = await checked(body, required(caller))
      const now = new Date()
      const ciphering = body.qr_code_ciphering_enabled && { ciphering: newCiphering(sealer) }
      const event = await store.insert({
        _id: newId(),
        ...fields,
        ...ciphering,
        created_at: now,
        updated_at: now,
      })
      return { ...event, guest_count: 0, check_in_count: 0, signature_count: 0 }
    },

    async update({ params, body, caller }) {
      const fields = await checked(body, required(caller), params.event_id)
      if (body.qr_code_ciphering_enabled) await store.provideCiphering(params.event_id, newCiphering(sealer))
      // Noted before it is so, and done after: whatever dies in between, the QR codes on badges are made anew.
      const reprinted = await toReprint(params.event_id, body.qr_code_ciphering_enabled)
      const event = await store.update(params.event_id, fields)
      if (!event) throw notFound()
      desk.orderForAll(reprinted)
      return () => countedOne(event)
    },

    async owner({ body }) {
      const event = await store.get(body.event_id)
      return { account_id: event?.account_id ?? null }
    },

    async campaign_terms({ body }) {
      const event = await store.get(body.event_id)
      if (!event) throw notFound()
      return event
    },

    async badge_hook({ body }) {
      const event = await store.get(body.event_id)
      return { url: event?.badge_complete_hook_url || null }
    },

    async network({ body }) {
      const event = await store.get(body.event_id)
      if (!event) throw notFound()
      return { network_enabled: event.network_enabled }
    },

    async ciphering({ body }) {
      const event = await store.get(body.event_id)
      if (!event) throw notFound()
      if (!event.qr_code_ciphering_enabled || !event.ciphering) return { enabled: false, key: null, iv: null }
      return { enabled: true, ...openCiphering(sealer, event.ciphering) }
    },
  }
}
