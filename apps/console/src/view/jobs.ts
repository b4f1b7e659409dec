import type { TextKey } from '../texts/words.ts'
import type { IconName } from './icon.tsx'

/** The pages of one job. The job itself leads to the first. */
export interface Group {
  title: TextKey
  icon: IconName
  /** Their segments after the event's; none for the event's own page. */
  pages: string[]
}

/** The jobs at an event (docs/design/organizers.md). */
export const ofEvent: readonly Group[] = [
  { title: 'page_overview', icon: 'overview', pages: [''] },
  { title: 'page_guests', icon: 'guests', pages: ['guests', 'guest_categories', 'guest_fields'] },
  { title: 'nav_invitations', icon: 'invitations', pages: ['mailings', 'invitation_types', 'registrations'] },
  {
    title: 'nav_door',
    icon: 'door',
    pages: ['live', 'scan_times', 'access_controls', 'accesspoints', 'areas', 'rights', 'devices'],
  },
  { title: 'section_badges', icon: 'badges', pages: ['badge_templates'] },
  { title: 'page_partners', icon: 'partners', pages: ['partners', 'promo_codes'] },
  { title: 'page_exhibitors', icon: 'exhibitors', pages: ['exhibitors', 'connections'] },
  { title: 'page_settings', icon: 'settings', pages: ['settings'] },
]

type AccountPage = 'events' | 'staff_members' | 'webhooks' | 'tokens' | 'audit_records' | 'personal_data' | 'account'
const alone = (name: AccountPage): Group => ({ title: `page_${name}`, icon: name, pages: [name] })

/** The pages of the account. */
export const ofAccount: readonly Group[] = [
  alone('events'),
  alone('staff_members'),
  alone('webhooks'),
  alone('tokens'),
  alone('audit_records'),
  alone('personal_data'),
  { title: 'nav_sign_in', icon: 'sign_in', pages: ['contacts', 'oauth_apps'] },
  alone('account'),
]

/** Returns the icon of the job to which a page belongs. */
export function iconOf(page: string): IconName | undefined {
  return [...ofEvent, ...ofAccount].find(({ pages }) => pages.includes(page))?.icon
}
