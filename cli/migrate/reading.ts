import { isObject } from '@gatehouse/proto/formats/json-reader.ts'
import type { Kind } from './kind.ts'
import { idOf, type Source, type SourceItem } from './source.ts'

/** Things that are taken at once. More would outlive the young generation of the services' heaps, and hold up the door there. */
export const CHUNK = 250

/** Reads a list of one page. */
export function listed(path: string): Kind['read'] {
  return async function* (source, { _id }) {
    yield await source.readList(`events/${_id}/${path}`)
  }
}

/** Reads a list of several pages. */
export function paged(path: string): Kind['read'] {
  return (source, { _id }) => source.pages(`events/${_id}/${path}`)
}

/** Links are shown for a category. */
export async function* linksOf(source: Source, { _id: event_id }: { _id: string }): AsyncGenerator<SourceItem[]> {
  for (const category of await source.readList(`events/${event_id}/guest_categories`)) {
    const guest_category_id = idOf(category)
    if (guest_category_id === undefined) continue
    const found = await source.readList(`events/${event_id}/guest_category_accesspoints`, { guest_category_id })
    // Some ignore the filter.
    const own = found.filter((link) => link.guest_category_id === guest_category_id)
    if (own.length > 0) yield own
  }
}

/** Guests with their files, which only guest fields of that type have. */
export async function* guestsWithFiles(source: Source, event: { _id: string }): AsyncGenerator<SourceItem[]> {
  const fields = await source.readList(`events/${event._id}/guest_fields`)
  yield* guestsOf(source, event, fields.some(({ type }) => type === 'file') ? { files: 'true' } : {})
}

/** Guests with their metadata, which may be shown with each guest alone. */
export async function* guestsOf(
  source: Source,
  { _id: event_id }: { _id: string },
  filter: Record<string, string> = {},
): AsyncGenerator<SourceItem[]> {
  const query = { guest_metadata: 'true', ...filter }
  for await (const page of source.pages(`events/${event_id}/guests`, query)) {
    if (page.every(({ guest_metadata }) => guest_metadata !== undefined)) {
      yield page
      continue
    }
    yield await Promise.all(
      page.map(async (guest) => {
        const whole = await source.readOne(`events/${event_id}/guests/${idOf(guest)}`, query)
        // Deleted meanwhile: it goes as it was.
        return whole ?? guest
      }),
    )
  }
}

/** Invitation types, or what partners' campaigns say of them where they are not shown. */
export async function* typesOf(source: Source, event: { _id: string }): AsyncGenerator<SourceItem[]> {
  const shown = await source.readList(`events/${event._id}/invitation_types`)
  const ids = new Set(shown.map(idOf))
  for await (const campaigns of campaignsOf(source, event)) {
    for (const { invitation_type_id } of campaigns) {
      if (typeof invitation_type_id !== 'string' || ids.has(invitation_type_id)) continue
      ids.add(invitation_type_id)
      shown.push({ _id: invitation_type_id, name: `Invitation ${invitation_type_id}` })
    }
  }
  if (shown.length > 0) yield shown
}

/** Campaigns stand in their partners. */
export async function* campaignsOf(source: Source, { _id }: { _id: string }): AsyncGenerator<SourceItem[]> {
  for (const partner of await source.readList(`events/${_id}/partners`)) {
    const { partner_campaigns } = partner
    const campaigns = Array.isArray(partner_campaigns) ? partner_campaigns.filter(isObject) : []
    if (campaigns.length > 0) yield campaigns.map((campaign) => ({ partner_id: idOf(partner), ...campaign }))
  }
}

/** Their paths have no prefix. */
export async function* exhibitorsOf(source: Source, { _id }: { _id: string }): AsyncGenerator<SourceItem[]> {
  yield await source.readList(`/events/${_id}/exhibitors`)
}

/** They stand below their exhibitors. */
export async function* leadsOf(source: Source, { _id }: { _id: string }): AsyncGenerator<SourceItem[]> {
  for (const exhibitor of await source.readList(`/events/${_id}/exhibitors`)) {
    const exhibitor_id = idOf(exhibitor)
    for await (const leads of source.pages(`/events/${_id}/exhibitors/${exhibitor_id}/connections`))
      yield leads.map((lead) => ({ exhibitor_id, ...lead }))
  }
}
