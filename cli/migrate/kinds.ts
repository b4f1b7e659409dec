import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import type { FieldErrors } from '@gatehouse/proto/declaring/faults.ts'
import type { SchemaNode } from '@gatehouse/proto/declaring/fields.ts'
import type { Resource } from '@gatehouse/proto/declaring/resource.ts'
import { isObject } from '@gatehouse/proto/formats/json-reader.ts'
import {
  accesspoints,
  checkIns,
  connections,
  events,
  exhibitors,
  guestCategories,
  guestFields,
  guests,
  invitationTypes,
  links,
  partnerCampaigns,
  partners,
  promoCodes,
  signatures,
} from '../permissions.ts'
import { retried } from '../retry.ts'
import { idOf, type Source, type SourceItem } from './source.ts'
import { toleratedRecord } from './tolerance.ts'

/** What became of a thing. */
export type Taken =
  | { outcome: 'stored' | 'same' | 'missing' }
  | { outcome: 'differs'; fields: string[] }
  | { errors: FieldErrors }

/** Where things go to, and whether they are only compared. */
export interface Destination {
  bus: Bus
  account_id: string
  compares: boolean
}

/** A kind of things of an event. */
export interface Kind {
  /** As in the paths: `guests`. */
  name: string
  /** How the event counts them, if it does. */
  counter?: 'guest_count' | 'check_in_count' | 'signature_count'
  /** Reads all of an event, in parts. */
  read(source: Source, event: SourceItem & { _id: string }): AsyncGenerator<SourceItem[]>
  /** Stores or compares some of an event. */
  take(to: Destination, event: SourceItem & { _id: string }, items: SourceItem[]): Promise<Taken[]>
}

/** Things that are taken at once. */
export const CHUNK = 500

const resources = {
  ...{ accesspoints, checkIns, connections, events, exhibitors, guestCategories, guestFields, guests, invitationTypes },
  ...{ links, partnerCampaigns, partners, promoCodes, signatures },
}
type AdoptedResource = (typeof resources)[keyof typeof resources]

/** Names that must be there, with what stands for one that is missing. */
const NAMES: Readonly<Record<string, string>> = { title: 'Untitled', name: 'Unnamed' }

/** Takes over events of an account. */
export function takeEvents({ bus, account_id, compares }: Destination, items: SourceItem[]): Promise<Taken[]> {
  return adopted(bus, events, { account_id, compares }, items, {})
}

/** The kinds in the order in which they are taken: what others refer to comes first. */
export const kinds: readonly Kind[] = [
  kindOf('guest_fields', guestFields, listed('guest_fields')),
  kindOf('accesspoints', accesspoints, listed('accesspoints')),
  kindOf('guest_categories', guestCategories, listed('guest_categories')),
  kindOf('guest_category_accesspoints', links, linksOf),
  { ...kindOf('guests', guests, guestsOf), counter: 'guest_count' },
  kindOf('promo_codes', promoCodes, paged('promo_codes')),
  { ...kindOf('access_controls', checkIns, paged('access_controls')), counter: 'check_in_count' },
  { ...kindOf('signatures', signatures, paged('signatures')), counter: 'signature_count' },
  kindOf('partners', partners, listed('partners')),
  kindOf('invitation_types', invitationTypes, typesOf),
  kindOf('partner_campaigns', partnerCampaigns, campaignsOf),
  kindOf('exhibitors', exhibitors, exhibitorsOf),
  kindOf('connections', connections, leadsOf),
]

function kindOf(name: string, resource: AdoptedResource, read: Kind['read']): Kind {
  return {
    name,
    read,
    take: ({ bus, compares }, event, items) => adopted(bus, resource, { event_id: event._id, compares }, items, event),
  }
}

async function adopted(
  bus: Bus,
  resource: AdoptedResource,
  query: object,
  items: SourceItem[],
  event: SourceItem,
): Promise<Taken[]> {
  const schema = (resource.actions.adopt.body as object as SchemaNode).items ?? {}
  const body = items.map((item) => bodyOf(schema, item, event))
  const client = clientOf(bus, resource as Resource) as object as { adopt(call: object): Promise<Taken[]> }
  return retried(() => client.adopt({ query, body }))
}

/** A thing as it is declared here, with its own id and times; what has no times has those of its event. */
function bodyOf(schema: SchemaNode, item: SourceItem, event: SourceItem): object {
  const { access_stamp, created_at = access_stamp ?? event.created_at, updated_at = created_at } = item
  const names = Object.entries(NAMES).flatMap(([name, text]) => (isMissing(schema, item, name) ? [[name, text]] : []))
  const known = { ...item, ...Object.fromEntries(names), _id: idOf(item), created_at, updated_at }
  return toleratedRecord(schema, known) ?? {}
}

function isMissing({ properties }: SchemaNode, item: SourceItem, name: string): boolean {
  const given = item[name]
  return properties?.[name] !== undefined && (typeof given !== 'string' || given.trim() === '')
}

function listed(path: string): Kind['read'] {
  return async function* (source, { _id }) {
    const items = await source.readList(`events/${_id}/${path}`)
    for (let from = 0; from < items.length; from += CHUNK) yield items.slice(from, from + CHUNK)
  }
}

function paged(path: string): Kind['read'] {
  return (source, { _id }) => source.pages(`events/${_id}/${path}`)
}

/** Links are shown for a category. */
async function* linksOf(source: Source, { _id: event_id }: { _id: string }): AsyncGenerator<SourceItem[]> {
  for (const category of await source.readList(`events/${event_id}/guest_categories`)) {
    const guest_category_id = idOf(category)
    if (guest_category_id === undefined) continue
    const found = await source.readList(`events/${event_id}/guest_category_accesspoints`, { guest_category_id })
    // Some ignore the filter.
    const own = found.filter((link) => link.guest_category_id === guest_category_id)
    if (own.length > 0) yield own
  }
}

/** Guests with their metadata, which may be shown with each guest alone. */
async function* guestsOf(source: Source, { _id: event_id }: { _id: string }): AsyncGenerator<SourceItem[]> {
  const query = { guest_metadata: 'true' }
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
async function* typesOf(source: Source, event: { _id: string }): AsyncGenerator<SourceItem[]> {
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
async function* campaignsOf(source: Source, { _id }: { _id: string }): AsyncGenerator<SourceItem[]> {
  for (const partner of await source.readList(`events/${_id}/partners`)) {
    const { partner_campaigns } = partner
    const campaigns = Array.isArray(partner_campaigns) ? partner_campaigns.filter(isObject) : []
    if (campaigns.length > 0) yield campaigns.map((campaign) => ({ partner_id: idOf(partner), ...campaign }))
  }
}

/** Their paths have no prefix. */
async function* exhibitorsOf(source: Source, { _id }: { _id: string }): AsyncGenerator<SourceItem[]> {
  yield await source.readList(`/events/${_id}/exhibitors`)
}

async function* leadsOf(source: Source, { _id }: { _id: string }): AsyncGenerator<SourceItem[]> {
  for (const exhibitor of await source.readList(`/events/${_id}/exhibitors`)) {
    const exhibitor_id = idOf(exhibitor)
    for await (const leads of source.pages(`/events/${_id}/exhibitors/${exhibitor_id}/connections`))
      yield leads.map((lead) => ({ exhibitor_id, ...lead }))
  }
}
