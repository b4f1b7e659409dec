import type { Call, Output } from '@gatehouse/proto/declaring/resource.ts'
import { found, untilUnchanged } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../dependencies.ts'
import { authenticateExhibitor } from '../exhibitors/authenticate.ts'
import { withGuests } from './own.ts'
import type { connections } from './resource.ts'
import { leadId, type StoredLead } from './store.ts'

type Change = typeof connections.actions.change

/** Changes note or rating of a lead. What several phones have written without knowing of each other is kept. */
export async function change(dependencies: Dependencies, { params, body }: Call<Change>): Promise<Output<Change>> {
  const { exhibitors, leads } = dependencies
  const { _id: exhibitor_id, event_id } = await authenticateExhibitor(exhibitors, params.access_token)
  const changed = await untilUnchanged('lead', async () => {
    const lead = found((await leads.find(event_id, [leadId(exhibitor_id, params.guest_uid)]))[0])
    const { note, rating } = merged(lead, body)
    const isSame = note === (lead.note ?? null) && rating === (lead.rating ?? null)
    return isSame ? lead : leads.change(lead, { note, rating })
  })
  const [shown] = await withGuests(dependencies, event_id, [changed])
  return found(shown)
}

/** Returns note and rating after a change to a lead: what is given, unless another phone has changed the lead since its revision. */
function merged(
  lead: StoredLead,
  { note, rating, revision = 0 }: Call<Change>['body'],
): Required<Pick<StoredLead, 'note' | 'rating'>> {
  const stored = { note: lead.note ?? null, rating: lead.rating ?? null }
  const isCurrent = revision === (lead.revision ?? 0)
  if (isCurrent)
    return { note: note === undefined ? stored.note : note, rating: rating === undefined ? stored.rating : rating }
  return { note: joined(stored.note, note ?? null), rating: rating ?? stored.rating }
}

/** Both notes, one below the other; one alone if it holds the other, as that of a request that is sent again does. */
function joined(stored: string | null, given: string | null): string | null {
  if (!stored || given?.includes(stored)) return given || stored
  if (!given || stored.includes(given)) return stored
  return `${stored}\n${given}`
}
