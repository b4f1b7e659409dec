import type { Route } from '../route/route.ts'

type Loaded = () => Promise<{ default: string }>

const FOLDER = '../../../../docs/guides/organizers/'
const files = import.meta.glob<{ default: string }>('../../../../docs/guides/organizers/*.md')

/** What loads each guide, by its name: the HTML that the build makes of it (apps/guides.ts). */
export const guides: Readonly<Record<string, Loaded>> = Object.fromEntries(
  Object.entries(files).map(([path, load]) => [path.slice(FOLDER.length, -'.md'.length), load]),
)

/** The guide of each page of an event, and of the account's pages; others have the first one. */
const ofPages: Readonly<Record<string, string>> = {
  guests: 'guests',
  guest_categories: 'guests',
  guest_fields: 'guests',
  mailings: 'invitations',
  invitation_types: 'invitations',
  registrations: 'registration',
  live: 'door',
  scan_times: 'door',
  access_controls: 'door',
  accesspoints: 'door',
  areas: 'door',
  rights: 'door',
  devices: 'door',
  badge_templates: 'badges',
  partners: 'partners',
  promo_codes: 'partners',
  exhibitors: 'exhibitors',
  connections: 'exhibitors',
  bring: 'moving',
  settings: 'settings',
  account: 'settings',
  staff_members: 'settings',
  webhooks: 'settings',
  tokens: 'settings',
  audit_records: 'settings',
}

/** The guide that helps at a route. */
export function guideOf(route: Route): string {
  const [first = '', , page = ''] = route
  return ofPages[first === 'events' ? page : first] ?? 'start'
}
