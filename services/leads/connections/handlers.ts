import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { inChunks } from '@gatehouse/proto/concurrency/chunks.ts'
import { Fault } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import { alsoWrong, type Call, type Handlers, isRejected, type Rejected } from '@gatehouse/proto/declaring/resource.ts'
import { possibleUids, uidOf } from '@gatehouse/proto/declaring/visible.ts'
import type { Outbox, OutboxEntry } from '@gatehouse/proto/events/outbox.ts'
import { republishCreated, requireAnHour } from '@gatehouse/proto/events/republishing.ts'
import type { IdempotencyStore } from '@gatehouse/proto/serving/idempotency.ts'
import { found, newTimes } from '@gatehouse/proto/storage/documents.ts'
import { authenticateExhibitor } from '../exhibitors/authenticate.ts'
import type { Exhibitor } from '../exhibitors/resource.ts'
import type { ExhibitorStore } from '../exhibitors/store.ts'
import { events, guests } from '../permissions.ts'
import { leadsAsCsv } from './csv.ts'
import type { connections, Lead } from './resource.ts'
import { type LeadStore, leadId, type StoredLead } from './store.ts'

const ALL = 500
const NO_GUEST = { guest_uid: [messageOf('unknown_reference', { thing: 'a guest', owner: 'event' })] }
/** The longest submission; one that takes longer does no harm, since a lead is stored only once. */
const MAX_MS = 10_000

/** What an outbox entry holds of a lead: the stored lead has another `created_at` if an earlier request stored it. */
export type PlannedLead = Pick<StoredLead, '_id' | 'created_at'>

type LeadBatch = Call<(typeof connections)['actions']['batch_create']>

/** Handlers of leads. */
export function connectionHandlers(
  store: LeadStore,
  exhibitors: ExhibitorStore,
  bus: Bus,
  outbox: Outbox<PlannedLead>,
  retries: IdempotencyStore,
): Handlers<typeof connections> {
  const eventClient = clientOf(bus, events)
  const guestClient = clientOf(bus, guests)

  /** The `_id` of each guest of an event, by uid; unknown uids are missing. */
  async function guestIds(event_id: string, uids: Iterable<string>): Promise<Map<string, string>> {
    const resolved = await inChunks([...new Set(uids)], (chunk) =>
      guestClient.resolve({ body: { event_id, uids: chunk } }),
    )
    return new Map(resolved.map(({ uid, guest_id }) => [uid, guest_id]))
  }

  /** The stored lead of each item, or why there is none. */
  async function submit(
    { _id: exhibitor_id, event_id }: Exhibitor,
    submitted: LeadBatch['body'],
  ): Promise<(Lead | Rejected)[]> {
    const uids = submitted.flatMap((item) => (isRejected(item) ? item.given : item)?.guest_uid ?? [])
    const [{ network_enabled }, ids] = await Promise.all([
      eventClient.network({ body: { event_id } }),
      guestIds(event_id, uids.flatMap(possibleUids)),
    ])
    if (!network_enabled) throw new Fault('forbidden', 'The event does not let exhibitors create leads')

    const known = (scanned: string): string => uidOf(scanned, (uid) => ids.has(uid))
    const times = newTimes()
    const fresh = new Map<string, StoredLead>()
    for (const item of submitted) {
      if (isRejected(item)) continue
      const { author, comments } = item
      const guest_uid = known(item.guest_uid)
      const guest_id = ids.get(guest_uid)
      if (guest_id === undefined || fresh.has(guest_uid)) continue
      const _id = leadId(exhibitor_id, guest_uid)
      fresh.set(guest_uid, { _id, event_id, exhibitor_id, guest_uid, guest_id, author, comments, ...times })
    }
    const leads = [...fresh.values()]
    const keep = async () => {
      const stored = await store.keep(leads)
      // The exhibitor's deletion may have deleted its leads before these were stored.
      if (await exhibitors.get(event_id, exhibitor_id)) return stored
      await store.deleteOfExhibitor(event_id, exhibitor_id)
      throw new Fault('unauthorized')
    }
    const items = leads.map(({ _id, created_at }) => ({ _id, created_at }))
    const stored = await outbox.publishing({ type: 'lead.created', event_id, items }, keep, (stored) =>
      // The request that stored an earlier lead publishes it.
      [...stored.values()].filter((lead) => lead.created_at.getTime() === times.created_at.getTime()).map(shown),
    )
    return submitted.map((item) => {
      if (isRejected(item)) {
        const { guest_uid } = item.given ?? {}
        return alsoWrong(item, guest_uid === undefined || ids.has(known(guest_uid)) ? {} : NO_GUEST)
      }
      const lead = stored.get(leadId(exhibitor_id, known(item.guest_uid)))
      return lead ? shown(lead) : { errors: NO_GUEST }
    })
  }

  return {
    async list({ params: { event_id, exhibitor_id }, query: { page, per_page }, format }) {
      const exhibitor = found(await exhibitors.get(event_id, exhibitor_id))
      const isPage = page !== undefined || per_page !== undefined
      const leads = await store.ofExhibitor(
        event_id,
        exhibitor_id,
        isPage ? { page: page ?? 1, per_page: per_page ?? ALL } : undefined,
      )
      return format === 'csv'
        ? leadsAsCsv(leads.decoded(), exhibitor, guestClient)
        : leads.with((get) => notesOf(get('comments')))
    },

    async batch_create(call) {
      const { params, body, idempotency_key } = call
      const exhibitor = await authenticateExhibitor(exhibitors, params.access_token)
      if (!idempotency_key) return submit(exhibitor, body)
      // After authentication, since a replaced token must not get even an earlier answer; by exhibitor, since its new token may.
      const asked = Buffer.from(JSON.stringify(body))
      const meta = { idempotency_key, budget: MAX_MS }
      const reply = await retries.once('leads.connections.batch_create', exhibitor._id, meta, asked, async () => ({
        body: Buffer.from(JSON.stringify(await submit(exhibitor, body))),
      }))
      call.replayed = reply.replayed ?? false
      return JSON.parse(Buffer.from(reply.body).toString()) as (Lead | Rejected)[]
    },

    async republish({ body: { event_id, since, until } }) {
      requireAnHour({ since, until })
      await republishCreated(outbox, 'lead.created', event_id, store.createdWithin(event_id, since, until))
      return {}
    },
  }
}

function shown(lead: StoredLead) {
  return { ...lead, ...notesOf(lead.comments) }
}

function notesOf(comments: unknown[] = []) {
  return { comments, exhibitor_products: [] }
}

/** Finds out that leads of an entry its request stored. */
export function keptOf(store: LeadStore): (entry: OutboxEntry<PlannedLead>) => Promise<Lead[]> {
  return async ({ event_id, items }) => {
    const times = new Map(items.map(({ _id, created_at }) => [_id, created_at.getTime()]))
    const leads = await store.find(event_id, [...times.keys()])
    return leads.filter(({ _id, created_at }) => times.get(_id) === created_at.getTime()).map(shown)
  }
}
