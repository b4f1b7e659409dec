import type { Call, Download } from '@gatehouse/proto/declaring/resource.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../dependencies.ts'
import { leadsAsCsv } from './csv.ts'
import type { connections, ListedLead } from './resource.ts'
import { shownLead } from './store.ts'

const ALL = 500

/** Returns an exhibitor's leads: all of them unless a page is asked for. */
export async function list(
  { exhibitors, leads, guestClient }: Dependencies,
  { params: { event_id, exhibitor_id }, query: { page, per_page }, format }: Call<typeof connections.actions.list>,
): Promise<ListedLead[] | Download> {
  const exhibitor = found(await exhibitors.get(event_id, exhibitor_id))
  const isPage = page !== undefined || per_page !== undefined
  const asked = isPage ? { page: page ?? 1, per_page: per_page ?? ALL } : undefined
  const all = await leads.ofExhibitor(event_id, exhibitor_id, asked)
  if (format !== 'csv') return all.map(shownLead)
  return leadsAsCsv(all, { event_id, filename: `leads-${exhibitor._id}.csv` }, guestClient)
}
