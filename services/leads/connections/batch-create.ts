import { inChunks } from '@gatehouse/proto/concurrency/chunks.ts'
import { Fault } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import { alsoWrong, type Call, isRejected, type Output, type Rejected } from '@gatehouse/proto/declaring/resource.ts'
import { possibleUids, uidOf } from '@gatehouse/proto/declaring/visible.ts'
import { newTimes } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../dependencies.ts'
import { authenticateExhibitor } from '../exhibitors/authenticate.ts'
import type { Exhibitor } from '../exhibitors/resource.ts'
import type { connections, Lead } from './resource.ts'
import { leadId, type StoredLead, shownLead } from './store.ts'

type BatchCreate = typeof connections.actions.batch_create

export const NO_GUEST = { guest_uid: [messageOf('unknown_reference', { thing: 'a guest', owner: 'event' })] }
/** The longest submission; one that takes longer does no harm, since a lead is stored only once. */
const MAX_MS = 10_000

/** Stores the leads of a batch. */
export async function batch_create(dependencies: Dependencies, call: Call<BatchCreate>): Promise<Output<BatchCreate>> {
  const { params, body, idempotency_key } = call
  const { exhibitors, retries } = dependencies
  const exhibitor = await authenticateExhibitor(exhibitors, params.access_token)
  if (!idempotency_key) return submit(dependencies, exhibitor, body)
  // After authentication, since a replaced token must not get even an earlier answer; by exhibitor, since its new token may.
  const asked = Buffer.from(JSON.stringify(body))
  const meta = { idempotency_key, budget: MAX_MS }
  const reply = await retries.once('leads.connections.batch_create', exhibitor._id, meta, asked, async () => ({
    body: Buffer.from(JSON.stringify(await submit(dependencies, exhibitor, body))),
  }))
  call.replayed = reply.replayed ?? false
  return JSON.parse(Buffer.from(reply.body).toString()) as Output<BatchCreate>
}

/** Returns the stored lead of each item, or why there is none. */
async function submit(
  dependencies: Dependencies,
  exhibitor: Exhibitor,
  submitted: Call<BatchCreate>['body'],
): Promise<(Lead | Rejected)[]> {
  const { eventClient } = dependencies
  const { _id: exhibitor_id, event_id } = exhibitor
  const uids = submitted.flatMap((item) => (isRejected(item) ? item.given : item)?.guest_uid ?? [])
  const [{ network_enabled }, ids] = await Promise.all([
    eventClient.network({ body: { event_id } }),
    guestIds(dependencies, event_id, uids.flatMap(possibleUids)),
  ])
  if (!network_enabled) throw new Fault('forbidden', 'The event does not let exhibitors create leads')

  const uidOfScan = (scanned: string): string => uidOf(scanned, (uid) => ids.has(uid))
  const times = newTimes()
  const fresh = new Map<string, StoredLead>()
  for (const item of submitted) {
    if (isRejected(item)) continue
    const { author, comments } = item
    const guest_uid = uidOfScan(item.guest_uid)
    const guest_id = ids.get(guest_uid)
    if (guest_id === undefined || fresh.has(guest_uid)) continue
    const _id = leadId(exhibitor_id, guest_uid)
    fresh.set(guest_uid, { _id, event_id, exhibitor_id, guest_uid, guest_id, author, comments, ...times })
  }
  const stored = await storeLeads(dependencies, exhibitor, [...fresh.values()])
  return submitted.map((item) => {
    if (isRejected(item)) {
      const { guest_uid } = item.given ?? {}
      return alsoWrong(item, guest_uid === undefined || ids.has(uidOfScan(guest_uid)) ? {} : NO_GUEST)
    }
    const lead = stored.get(leadId(exhibitor_id, uidOfScan(item.guest_uid)))
    return lead ? shownLead(lead) : { errors: NO_GUEST }
  })
}

/** The `_id` of each guest of an event, by uid; unknown uids are missing. */
export async function guestIds(
  { guestClient }: Dependencies,
  event_id: string,
  uids: string[],
): Promise<Map<string, string>> {
  const resolved = await inChunks([...new Set(uids)], (chunk) =>
    guestClient.resolve({ body: { event_id, uids: chunk } }),
  )
  return new Map(resolved.map(({ uid, guest_id }) => [uid, guest_id]))
}

/** Stores leads unless they are there already, and publishes new ones. Returns all of them by `_id`, as they are stored. */
async function storeLeads(
  { leads, exhibitors, outbox }: Dependencies,
  { _id: exhibitor_id, event_id }: Exhibitor,
  given: StoredLead[],
): Promise<Map<string, StoredLead>> {
  const items = given.map(({ _id, created_at }) => ({ _id, created_at }))
  return outbox.publishing(
    { type: 'lead.created', event_id, items },
    async () => {
      const stored = await leads.insertMissing(given)
      // The exhibitor's deletion may have deleted its leads before these were stored.
      if (await exhibitors.get(event_id, exhibitor_id)) return stored
      await leads.deleteOfExhibitor(event_id, exhibitor_id)
      throw new Fault('unauthorized')
    },
    // The request that stored an earlier lead publishes it.
    (stored) =>
      [...stored.values()]
        .filter(({ created_at }) => created_at.getTime() === given[0]?.created_at.getTime())
        .map(shownLead),
  )
}
