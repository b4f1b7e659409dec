import { clientOf } from '@gatehouse/proto/bus/client.ts'
import type { Resource } from '@gatehouse/proto/declaring/resource.ts'
import { allPages } from '../pages.ts'
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
import { type AdoptedResource, adopted } from './adopted.ts'
import { guestFiles } from './files.ts'
import type { Destination, GoneKind, GoneOutcome, Kind, Taken } from './kind.ts'
import {
  campaignsOf,
  exhibitorsOf,
  guestsOf,
  guestsWithFiles,
  leadsOf,
  linksOf,
  listed,
  paged,
  typesOf,
} from './reading.ts'
import { idOf, type SourceItem } from './source.ts'

/** Takes over events of an account. */
export function takeEvents({ bus, account_id, compares }: Destination, items: SourceItem[]): Promise<Taken[]> {
  return adopted(bus, events, { account_id, compares }, items, {})
}

/**
 * The kinds in the order in which they are taken: what others refer to comes first. Check-ins come before their guests, who are then stored with
 * their first entries, and whom no door lets in again meanwhile.
 */
export const kinds: readonly Kind[] = [
  kindOf('guest_fields', guestFields, listed('guest_fields')),
  { ...kindOf('accesspoints', accesspoints, listed('accesspoints')), gone: goneOf(accesspoints, false) },
  { ...kindOf('guest_categories', guestCategories, listed('guest_categories')), gone: goneOf(guestCategories, false) },
  { ...kindOf('guest_category_accesspoints', links, linksOf), gone: goneOf(links, false) },
  {
    ...kindOf('access_controls', checkIns, paged('access_controls')),
    counter: 'check_in_count',
    readNews: paged('access_controls'),
    gone: goneOf(checkIns, true),
  },
  {
    ...kindOf('guests', guests, guestsWithFiles),
    counter: 'guest_count',
    readNews: (source, event, since) => guestsOf(source, event, { updated_since: since.toISOString() }),
    gone: goneOf(guests, true, true),
    inner: guestFiles,
  },
  { ...kindOf('promo_codes', promoCodes, paged('promo_codes')), gone: goneOf(promoCodes, true, true) },
  {
    ...kindOf('signatures', signatures, paged('signatures')),
    counter: 'signature_count',
    readNews: paged('signatures'),
  },
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

type DisownedResource =
  | typeof accesspoints
  | typeof checkIns
  | typeof guestCategories
  | typeof guests
  | typeof links
  | typeof promoCodes

function goneOf(resource: DisownedResource, hasPages: boolean, hasSingles = false): GoneKind {
  return {
    hasSingles,
    async *here({ bus, account_id }, { _id: event_id }) {
      const client = clientOf(bus, resource as Resource) as object as {
        list(call: object): Promise<{ _id: string }[]>
      }
      const caller = { account_id, token_id: 'migrate', scope: 'admin' }
      const ask = (query?: object) => retried(() => client.list({ params: { event_id }, caller, query }))
      if (hasPages) for await (const { _id } of allPages(ask)) yield _id
      else for (const item of await ask()) yield idOf(item) as string
    },
    async disown({ bus }, { _id: event_id }, ids) {
      const client = clientOf(bus, resource as Resource) as object as {
        disown(call: object): Promise<{ outcome: GoneOutcome }[]>
      }
      const outcomes = await retried(() => client.disown({ body: { event_id, ids } }))
      return outcomes.map(({ outcome }) => outcome)
    },
  }
}
