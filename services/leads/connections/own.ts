import type { Call } from '@gatehouse/proto/declaring/resource.ts'
import type { Dependencies } from '../dependencies.ts'
import { authenticateExhibitor } from '../exhibitors/authenticate.ts'
import { disclosedOf } from './disclosed.ts'
import type { connections, OwnLead } from './resource.ts'
import { type StoredLead, shownLead } from './store.ts'

/** Returns the leads of the exhibitor who asks, with what it may see of the guests. */
export async function own(
  dependencies: Dependencies,
  { params, query: { since } }: Call<typeof connections.actions.own>,
): Promise<OwnLead[]> {
  const { exhibitors, leads } = dependencies
  const { _id, event_id } = await authenticateExhibitor(exhibitors, params.access_token)
  return withGuests(dependencies, event_id, await leads.changedSince(event_id, _id, since))
}

/** Returns leads as their exhibitor sees them. */
export async function withGuests(
  { guestClient }: Dependencies,
  event_id: string,
  leads: readonly StoredLead[],
): Promise<OwnLead[]> {
  if (leads.length === 0) return []
  // Leads of an earlier version may have none.
  const ids = leads.map(({ guest_id }) => guest_id).filter((id) => typeof id === 'string' && id !== '')
  const { fields, byGuest } = await disclosedOf(guestClient, event_id, ids)
  return leads.map((lead) => {
    const values = byGuest.get(lead.guest_id)
    const guest = values && Object.fromEntries(fields.map((field, index) => [field, values[index] ?? null]))
    return { ...shownLead(lead), revision: lead.revision ?? 0, ...(guest && { guest }) }
  })
}
