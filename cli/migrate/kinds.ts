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
import { type AdoptedResource, adopted } from './adopted.ts'
import { guestFiles } from './files.ts'
import { campaignsHere, goneOf, listedHere, pagedHere, shownAt } from './gone.ts'
import type { Destination, Kind, Taken } from './kind.ts'
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
import type { SourceItem } from './source.ts'

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
  {
    ...kindOf('accesspoints', accesspoints, listed('accesspoints')),
    gone: goneOf(accesspoints, listedHere(accesspoints)),
  },
  {
    ...kindOf('guest_categories', guestCategories, listed('guest_categories')),
    gone: goneOf(guestCategories, listedHere(guestCategories)),
  },
  { ...kindOf('guest_category_accesspoints', links, linksOf), gone: goneOf(links, listedHere(links)) },
  {
    ...kindOf('access_controls', checkIns, paged('access_controls')),
    counter: 'check_in_count',
    readNews: paged('access_controls'),
    gone: goneOf(checkIns, pagedHere(checkIns)),
  },
  {
    ...kindOf('guests', guests, guestsWithFiles),
    counter: 'guest_count',
    readNews: (source, event, since) => guestsOf(source, event, { updated_since: since.toISOString() }),
    gone: goneOf(guests, pagedHere(guests), shownAt('guests')),
    inner: guestFiles,
  },
  {
    ...kindOf('promo_codes', promoCodes, paged('promo_codes')),
    gone: goneOf(promoCodes, pagedHere(promoCodes), shownAt('promo_codes')),
  },
  {
    ...kindOf('signatures', signatures, paged('signatures')),
    counter: 'signature_count',
    readNews: paged('signatures'),
    gone: goneOf(signatures, pagedHere(signatures)),
  },
  { ...kindOf('partners', partners, listed('partners')), gone: goneOf(partners, listedHere(partners)) },
  {
    ...kindOf('invitation_types', invitationTypes, typesOf),
    gone: goneOf(invitationTypes, listedHere(invitationTypes)),
  },
  { ...kindOf('partner_campaigns', partnerCampaigns, campaignsOf), gone: goneOf(partnerCampaigns, campaignsHere) },
  { ...kindOf('exhibitors', exhibitors, exhibitorsOf), gone: goneOf(exhibitors, listedHere(exhibitors)) },
  kindOf('connections', connections, leadsOf),
]

function kindOf(name: string, resource: AdoptedResource, read: Kind['read']): Kind {
  return {
    name,
    read,
    take: ({ bus, compares }, event, items) => adopted(bus, resource, { event_id: event._id, compares }, items, event),
  }
}
