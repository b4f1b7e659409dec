import type { Call, Download } from '@gatehouse/proto/declaring/resource.ts'
import type { Dependencies } from '../dependencies.ts'
import { leadsAsCsv } from './csv.ts'
import type { connections, ListedLead } from './resource.ts'
import { shownLead } from './store.ts'

type OfEvent = Call<typeof connections.actions.of_event>

/** Returns a page of the leads of all exhibitors of an event. */
export async function of_event(
  dependencies: Dependencies,
  { params: { event_id }, query, format }: OfEvent,
): Promise<ListedLead[] | Download> {
  const { exhibitors, leadPages, guestClient } = dependencies
  const { page, per_page, search, ...filter } = query
  const text = search?.trim()
  const searched = text
    ? { text, guest_ids: (await guestClient.found({ body: { event_id, search: text } })).ids }
    : undefined
  const leads = await leadPages.page(event_id, { ...filter, search: searched }, { page, per_page })
  if (format !== 'csv') return leads.map(shownLead)
  const names = new Map((await exhibitors.ofEvent(event_id)).map(({ _id, name }) => [_id, name]))
  return leadsAsCsv(leads, { event_id, filename: 'leads.csv', exhibitors: names }, guestClient)
}
