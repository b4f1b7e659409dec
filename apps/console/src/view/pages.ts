import type { ComponentType } from 'preact'
import { auditRecords } from '../audit/resource.ts'
import { badgeTemplates } from '../badges/resource.ts'
import { checkIns } from '../check-ins/resource.ts'
import { declaredOf, type Role } from '../declared/declared.ts'
import { devices } from '../devices/resource.ts'
import { EventsPage } from '../events/events-page.tsx'
import { leads } from '../leads/resource.ts'
import { REGISTRATIONS } from '../registrations/pending.ts'
import { type ConsoleResource, idParamOf, type PageProps, type ResourceProps } from '../resources/resource.ts'
import { events, guests, resources } from '../resources/resources.ts'
import { LINKS } from '../rights/links.ts'
import type { Route } from '../route/route.ts'
import type { TextKey } from '../texts/words.ts'
import { type LazyView, lazily } from './lazily.tsx'
import { ResourceList } from './resource-list.tsx'

/** A page that is no list or form of a resource. */
export interface Page {
  /** Its route: `['events', '{event_id}', 'live']`. */
  segments: string[]
  title: TextKey
  sees: Role
  /** Whether it is there to make or change something, which an archived event does not let anybody do. */
  makes?: true
  View: ComponentType<PageProps>
}

/** What a route shows. */
export interface FoundPage {
  title: TextKey
  sees: Role
  makes?: true
  params: Record<string, string>
  resource?: ConsoleResource
  View: ComponentType<ResourceProps> | ComponentType<PageProps>
}

const NewItem = lazily<ResourceProps>(async () => (await import('./resource-item.tsx')).NewItem)
/** The page of an item of a resource. */
export const ItemPage = lazily<ResourceProps>(async () => (await import('./resource-item.tsx')).ItemPage)
const AccountPage = lazily<PageProps>(async () => (await import('../account/account-page.tsx')).AccountPage)
const AuditPage = lazily<PageProps>(async () => (await import('../audit/audit-page.tsx')).AuditPage)
const BadgesPage = lazily<PageProps>(async () => (await import('../badges/badges-page.tsx')).BadgesPage)
const BringPage = lazily<PageProps>(async () => (await import('../bring/bring-page.tsx')).BringPage)
const CheckInsPage = lazily<PageProps>(async () => (await import('../check-ins/check-ins-page.tsx')).CheckInsPage)
const WalkInPage = lazily<PageProps>(async () => (await import('../check-ins/walk-in-page.tsx')).WalkInPage)
const DevicesPage = lazily<PageProps>(async () => (await import('../devices/devices-page.tsx')).DevicesPage)
const PrintStationPage = lazily<PageProps>(
  async () => (await import('../devices/print-station-page.tsx')).PrintStationPage,
)
const SheetPage = lazily<PageProps>(async () => (await import('../devices/sheet-page.tsx')).SheetPage)
const CopyPage = lazily<PageProps>(async () => (await import('../events/copy-page.tsx')).CopyPage)
const GuestsPage = lazily<PageProps>(async () => (await import('../guests/guests-page.tsx')).GuestsPage)
const ImportPage = lazily<PageProps>(async () => (await import('../guests/import-page.tsx')).ImportPage)
const GuidePage = lazily<PageProps>(async () => (await import('../guides/guide-page.tsx')).GuidePage)
const LeadsPage = lazily<PageProps>(async () => (await import('../leads/leads-page.tsx')).LeadsPage)
const LivePage = lazily<PageProps>(async () => (await import('../live/live-page.tsx')).LivePage)
const ScanTimesPage = lazily<PageProps>(async () => (await import('../scan-times/scan-times-page.tsx')).ScanTimesPage)
const OverviewPage = lazily<PageProps>(async () => (await import('../overview/overview-page.tsx')).OverviewPage)
const SettingsPage = lazily<PageProps>(async () => (await import('../overview/settings-page.tsx')).SettingsPage)
const PasskeysPage = lazily<PageProps>(async () => (await import('../passkeys/passkeys-page.tsx')).PasskeysPage)
const PersonalPage = lazily<PageProps>(async () => (await import('../personal/personal-page.tsx')).PersonalPage)
const RightsPage = lazily<PageProps>(async () => (await import('../rights/rights-page.tsx')).RightsPage)
const ApprovalsPage = lazily<PageProps>(async () => (await import('../registrations/approvals-page.tsx')).ApprovalsPage)

const links = declaredOf(LINKS)
const registrations = declaredOf(REGISTRATIONS)

/** The pages that are made by hand; they take precedence over those of a resource at the same route. */
export const pages: readonly Page[] = [
  { segments: ['account'], title: 'page_account', sees: 'owner', View: AccountPage },
  { segments: ['bring'], title: 'bring_title', sees: guests.creates, View: BringPage },
  { segments: ['audit_records'], title: 'page_audit_records', sees: auditRecords.sees, View: AuditPage },
  { segments: ['events', '{event_id}'], title: 'page_overview', sees: 'viewer', View: OverviewPage },
  { segments: ['events', '{event_id}', 'settings'], title: 'page_settings', sees: 'viewer', View: SettingsPage },
  { segments: ['events', '{event_id}', 'settings', 'copy'], title: 'event_copy', sees: 'organizer', View: CopyPage },
  {
    segments: ['events', '{event_id}', 'access_controls'],
    title: 'page_access_controls',
    sees: checkIns.sees,
    View: CheckInsPage,
  },
  {
    segments: ['events', '{event_id}', 'access_controls', 'walk_in'],
    title: 'walk_in_title',
    sees: checkIns.creates,
    View: WalkInPage,
  },
  { segments: ['events'], title: 'page_events', sees: events.sees, View: EventsPage },
  {
    segments: ['events', '{event_id}', 'bring'],
    title: 'bring_title',
    sees: guests.creates,
    View: BringPage,
  },
  { segments: ['events', '{event_id}', 'guests'], title: 'page_guests', sees: guests.sees, View: GuestsPage },
  {
    segments: ['events', '{event_id}', 'guests', 'import'],
    title: 'import_title',
    sees: guests.creates,
    makes: true,
    View: ImportPage,
  },
  {
    segments: ['events', '{event_id}', 'badge_templates'],
    title: 'section_badges',
    sees: badgeTemplates.sees,
    View: BadgesPage,
  },
  {
    segments: ['events', '{event_id}', 'devices'],
    title: 'page_devices',
    sees: devices.sees,
    View: DevicesPage,
  },
  {
    segments: ['events', '{event_id}', 'devices', 'sheet'],
    title: 'sheet_title',
    sees: devices.changes,
    makes: true,
    View: SheetPage,
  },
  {
    segments: ['events', '{event_id}', 'devices', 'print_station'],
    title: 'print_station_add',
    sees: devices.creates,
    makes: true,
    View: PrintStationPage,
  },
  {
    segments: ['events', '{event_id}', 'connections'],
    title: 'page_connections',
    sees: leads.sees,
    View: LeadsPage,
  },
  { segments: ['events', '{event_id}', 'live'], title: 'page_live', sees: 'viewer', View: LivePage },
  {
    segments: ['events', '{event_id}', 'scan_times'],
    title: 'page_scan_times',
    sees: 'viewer',
    View: ScanTimesPage,
  },
  {
    segments: ['events', '{event_id}', 'registrations'],
    title: 'page_registrations',
    sees: registrations.sees,
    View: ApprovalsPage,
  },
  { segments: ['guides', '{guide}'], title: 'help', sees: 'viewer', View: GuidePage },
  { segments: ['personal_data'], title: 'page_personal_data', sees: 'organizer', View: PersonalPage },
  { segments: ['passkeys'], title: 'page_passkeys', sees: 'viewer', View: PasskeysPage },
  { segments: ['events', '{event_id}', 'rights'], title: 'page_rights', sees: links.sees, View: RightsPage },
]

/** The last segment of the route where an item is created. */
export const NEW = 'new'

/** Returns the page at a route; undefined if there is none. */
export function findPage(route: Route): FoundPage | undefined {
  // The address of the form for a new event looks like that of an event.
  for (const { segments, ...page } of route[1] === NEW ? [] : pages) {
    const params = paramsOf(segments, route)
    if (params) return { ...page, params }
  }
  for (const resource of resources) {
    const title: TextKey = `page_${resource.name}`
    const { path, segments, sees, creates } = resource
    const params = paramsOf(segments, route)
    if (params) return { title, sees, params, resource, View: ResourceList }
    const within = paramsOf(segments, route.slice(0, -1))
    const last = route.at(-1)
    if (!within || last === undefined) continue
    if (last === NEW) return { title, sees: creates, makes: true, params: within, resource, View: NewItem }
    // The id of an event has another name in paths than that of other items.
    const ofItem = { ...within, id: last, [idParamOf(declaredOf(path).one)]: last }
    return { title, sees, params: ofItem, resource, View: ItemPage }
  }
  return undefined
}

/** Fetches the code of the page at a route, so that it is there when it is shown. What fails is fetched again then. */
export function fetchPage(route: Route): void {
  const { View } = findPage(route) ?? {}
  if (View && 'fetch' in View) (View as LazyView<PageProps>).fetch().catch(() => {})
}

/** Returns the parameters of a pattern in a route; undefined if the route does not match. */
function paramsOf(segments: readonly string[], route: Route): Record<string, string> | undefined {
  if (segments.length !== route.length) return undefined
  const params: Record<string, string> = {}
  for (const [index, segment] of segments.entries()) {
    const given = route[index] as string
    if (segment.startsWith('{')) params[segment.slice(1, -1)] = given
    else if (segment !== given) return undefined
  }
  return params
}
