import type { DeliveryDependencies } from '../dependencies.ts'
import type { Cause } from '../feedback/suppressions/store.ts'

/** Why an address gets no e-mail: the organizer has blocked it, its owner has unsubscribed or complained, or e-mails come back. */
export type Refusal = 'blocked' | 'unsubscribed' | Cause

/** Those of an event's normalized addresses that get no e-mail, and why: what the organizer has said goes first, then what the owner has. */
export async function refusalsOf(
  { blocked, unsubscriptions, suppressions }: DeliveryDependencies,
  event_id: string,
  addresses: readonly string[],
): Promise<Map<string, Refusal>> {
  const [byOrganizer, byOwner, byCause] = await Promise.all([
    blocked.among(event_id, addresses),
    unsubscriptions.among(event_id, addresses),
    suppressions.among(event_id, addresses),
  ])
  const refusals = new Map<string, Refusal>(byCause)
  for (const address of byOwner) refusals.set(address, 'unsubscribed')
  for (const address of byOrganizer) refusals.set(address, 'blocked')
  return refusals
}
