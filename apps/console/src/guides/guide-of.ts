import type { Route } from '../route/route.ts'

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
  personal_data: 'settings',
  contacts: 'settings',
  oauth_apps: 'settings',
}

/** The guide that helps at a route. */
export function guideOf(route: Route): string {
  const [first = '', , page = ''] = route
  return ofPages[first === 'events' ? page : first] ?? 'start'
}
