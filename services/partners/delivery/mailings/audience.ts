import { Poller } from '@gatehouse/proto/concurrency/poller.ts'
import { normalized } from '@gatehouse/proto/declaring/addresses.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { Addressee } from './delivery-store.ts'
import { unansweredOf } from './reminders.ts'
import type { AudiencePosition, StoredMailing } from './store.ts'

/** How long a process may take for a page of an audience; then another one looks for the audience again. */
const LEASE_MS = 15_000
const EVERY_MS = 1_000
const IDLE_MS = 4_000
/** How often the audience of an ongoing mailing is looked for. */
const ONGOING_MS = 15_000
const AT_ONCE = 4
/** For so long an audience is counted. */
const COUNTING_MS = 2_000

/*
 * Looks for those to whom mailings go, guests or recipients of invitations, and queues a delivery for each, a page of each mailing in turn: a large audience does not hold up a
 * small one. The `_id` of a delivery follows from mailing and guest, so a process may die at any time: another one takes the page again, and
 * queues what is missing.
 */

/** Looks for the audiences of mailings that are due, until it is stopped. Every process of the service does so. */
export function startLookingForAudiences(dependencies: Dependencies): Poller {
  const poller = new Poller({
    everyMs: EVERY_MS,
    idleMs: IDLE_MS,
    look: async () => {
      const due = await dependencies.mailings.due(AT_ONCE)
      for (const mailing of due) await queueDeliveries(dependencies, mailing)
      return due.length > 0
    },
    onError: (error) => dependencies.log.warn({ err: error }, 'looking for the audience of a mailing failed; retrying'),
  })
  poller.wake(EVERY_MS)
  return poller
}

/** How many would get a mailing now, and how many have no e-mail address, counted as they would be queued; for a very large audience, how many are found until the time is up. */
export async function countAudience(
  dependencies: Dependencies,
  mailing: StoredMailing,
): Promise<{ count: number; is_complete: boolean; without_email: number }> {
  const until = Date.now() + COUNTING_MS
  let count = 0
  let without_email = 0
  for (let after: AudiencePosition | undefined; ; ) {
    const { addressees, unreachable = 0, next } = await lookerOf(mailing)(dependencies, mailing, after)
    count += addressees.length
    without_email += unreachable
    if (!next || Date.now() > until) return { count, is_complete: !next, without_email }
    after = next
  }
}

/** What looks for the audience of a mailing. */
function lookerOf({ audience }: StoredMailing): typeof pageOf {
  return audience.invitation_type_id ? unansweredOf : pageOf
}

/** Queues the deliveries of the next page of an audience. */
async function queueDeliveries(dependencies: Dependencies, due: StoredMailing): Promise<void> {
  const { mailings, deliveries, ofMailings } = dependencies
  const { _id, event_id } = due
  const mailing = await mailings.lease(due, new Date(Date.now() + LEASE_MS))
  if (!mailing) return
  const { begun = new Date(), after } = mailing.looking ?? {}
  const { addressees, next } = await lookerOf(mailing)(dependencies, mailing, after)
  await deliveries.add(mailing, addressees)
  if (addressees.length > 0) await ofMailings.sendQueue.add({ event_id, partner_id: _id })
  if (next) await mailings.goOn(mailing, { begun, after: next })
  else await mailings.endLook(mailing, await deliveries.count(mailing), nextLook(mailing, begun))
}

/** When the audience is looked for again: the last time when the mailing closes, so that nobody is missed who joined before. */
function nextLook({ ongoing, closes_at }: StoredMailing, begun: Date): Date | undefined {
  if (!ongoing || !closes_at || begun >= closes_at) return undefined
  return new Date(Math.min(Date.now() + ONGOING_MS, Math.max(Date.now(), closes_at.getTime())))
}

/** A page of the guests of a mailing's audience who have an e-mail address, how many have none, and the last guest if there may be more. */
async function pageOf(
  { guestClient, deliveries }: Dependencies,
  { event_id, audience }: StoredMailing,
  after: AudiencePosition | undefined,
): Promise<{ addressees: Addressee[]; unreachable?: number; next: AudiencePosition | undefined }> {
  const { guest_category_ids, rsvp_status, checked_in, mailed, not_in_mailing_id } = audience
  const { guests, next } = await guestClient.audience({
    body: {
      ...{ event_id, guest_category_ids },
      ...(rsvp_status !== null && { rsvp_status: rsvp_status as 'accepted' }),
      ...(checked_in !== null && { checked_in }),
      ...(typeof mailed === 'boolean' && { mailed }),
      ...(after && { after }),
    },
  })
  const ids = guests.map(({ _id }) => _id)
  const others = not_in_mailing_id ? await deliveries.among(event_id, not_in_mailing_id, ids) : new Set()
  const chosen = guests.filter(({ _id }) => !others.has(_id))
  const addressees = chosen.flatMap(({ _id, email }) => {
    const address = email ? normalized(email) : undefined
    return address === undefined ? [] : [{ guest_id: _id, address }]
  })
  return { addressees, unreachable: chosen.length - addressees.length, next }
}
