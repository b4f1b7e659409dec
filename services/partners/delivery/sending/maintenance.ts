import { Poller } from '@gatehouse/proto/concurrency/poller.ts'
import type { StoredPartner } from '../../campaigns/partners/store.ts'
import type { UsageNote } from '../../campaigns/partners/usage.ts'
import type { DeliveryDependencies, Dependencies } from '../../dependencies.ts'
import { finishRecording } from '../../feedback/mail-events/recording.ts'
import { finishUnsubscription } from '../../feedback/unsubscriptions/unsubscribe.ts'
import { finishAcceptance } from '../invitations/acceptance.ts'
import { ATTEMPT_MS, syncGuest } from '../invitations/answers.ts'
import { endLease } from './leases.ts'

/**
 * Accepting, unsubscribing and recording events take less than a second. What is as old as this belongs to a process that died; if not, nothing
 * is lost but time.
 */
const SHORT_MS = 8_000
const EVERY_MS = 2_000
const IDLE_MS = 8_000

/**
 * Finishes what processes that died have left, and queues a send job for each partner with due invitations, until it is stopped. Every process
 * of the service does so.
 */
export function startMaintenance(dependencies: Dependencies): Poller {
  const poller = new Poller({
    everyMs: EVERY_MS,
    idleMs: IDLE_MS,
    look: () => maintain(dependencies),
    onError: (error) => dependencies.log.warn({ err: error }, 'maintaining invitations failed; retrying'),
  })
  poller.wake(EVERY_MS)
  return poller
}

/** Returns whether there was anything to do. */
async function maintain(dependencies: Dependencies): Promise<boolean> {
  let hasFound = await maintainSending(dependencies)
  for (const invitation of await dependencies.answers.answeredBefore(new Date(Date.now() - ATTEMPT_MS))) {
    await syncGuest(dependencies, invitation)
    hasFound = true
  }
  return (await maintainSending(dependencies.ofMailings)) || hasFound
}

async function maintainSending(dependencies: DeliveryDependencies): Promise<boolean> {
  let hasFound = false
  const { invitations, usage, sendQueue, config } = dependencies
  const leaseMs = config.mail_claim_ms
  const now = Date.now()
  const isOld = ({ kind, at }: UsageNote) => now - at.getTime() >= (kind === 'claim' ? leaseMs : SHORT_MS)
  for (const partner of await usage.notedBefore(new Date(now - Math.min(leaseMs, SHORT_MS)))) {
    for (const note of partner.notes?.filter(isOld) ?? []) await finish(dependencies, partner, note)
    hasFound = true
  }
  await invitations.deleteAbandoned(new Date(now - SHORT_MS))
  for await (const { _id, event_id } of invitations.partnersDue()) {
    hasFound = true
    const partner = await usage.get({ _id, event_id })
    // A batch may have been accepted while its partner was being deleted.
    if (!partner) await invitations.deleteWaiting({ _id, event_id })
    else if (!partner.disable_emails) await sendQueue.add({ event_id, partner_id: _id })
  }
  return hasFound
}

/** Finishes the change of a note. */
function finish(dependencies: DeliveryDependencies, partner: StoredPartner, note: UsageNote): Promise<void> {
  if (note.kind === 'claim') return endLease(dependencies, partner, note)
  if (note.kind === 'feedback') return finishRecording(dependencies, partner, note)
  if (note.kind === 'acceptance') return finishAcceptance(dependencies, partner, note)
  return finishUnsubscription(dependencies, partner, note)
}
