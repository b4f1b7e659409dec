import type { PageProps } from '../resources/resource.ts'
import { type Item, read } from '../server/server.ts'
import { may } from '../session/session.ts'
import { type ConsoleSay, named } from '../texts/words.ts'
import { useConsole } from '../view/console.ts'
import { Filters } from '../view/filters.tsx'
import { useLoaded } from '../view/loaded.ts'
import { nameOf, useNames } from '../view/names.ts'
import { useFilters } from '../view/resource-list.tsx'
import { AuditList } from './audit-list.tsx'
import { auditRecords } from './resource.ts'

/** The services and resources that people look for, as the API filters by them. */
const ACTIONS = [
  ...['guests.events', 'guests.guests', 'guests.guest_categories', 'guests.guest_fields', 'guests.erasures'],
  ...['guests.personal_documents', 'checkin.accesspoints', 'checkin.areas', 'checkin.access_controls'],
  ...['checkin.guest_category_accesspoints', 'badges.badge_templates', 'badges.files', 'partners.mailings'],
  ...['partners.invitation_types', 'partners.partners', 'partners.partner_campaigns', 'partners.registrations'],
  ...['partners.page_links'],
  ...['partners.qr_code_mails', 'promo.promo_codes', 'leads.exhibitors', 'sso.devices', 'sso.staff_members'],
  ...['sso.tokens', 'sso.contacts', 'sso.accounts', 'hooks.webhooks'],
]
const PEOPLE = ['/api/v1/staff_members.json', '/api/v1/tokens.json']

/** Who did what in the account: sentences, found by who, what and when. */
export function AuditPage({ params }: PageProps) {
  const { say, session, locale } = useConsole()
  const [query, setQuery] = useFilters(auditRecords)
  const names = useNames(['event_id'], params) ?? {}
  const mayList = may(session, 'owner')
  const { value: people } = useLoaded(
    async (signal) => {
      if (!mayList) return []
      const found = await Promise.all(PEOPLE.map((path) => read<Item[]>(path, {}, {}, signal)))
      return found.flat().map((each) => [String(each._id), String(each.name || nameOf(each))] as const)
    },
    [mayList],
  )
  const resource = mayList
    ? auditRecords
    : { ...auditRecords, filters: auditRecords.filters.filter((name) => name !== 'token_id') }
  return (
    <>
      <div class="head">
        <h1>{say('page_audit_records')}</h1>
      </div>
      <p class="quiet">{say('audit_text')}</p>
      <div class="toolbar">
        <Filters
          resource={resource}
          names={{ ...names, token_id: new Map(people), action: new Map(actionsIn(say, locale)) }}
          query={query}
          onChange={setQuery}
        />
      </div>
      <AuditList query={query} none={Object.keys(query).length > 0 ? 'none_found' : 'none'} events={names.event_id} />
    </>
  )
}

/** What can have been done something to, by the words for it. */
function actionsIn(say: ConsoleSay, locale: string): [string, string][] {
  const all = ACTIONS.map((action): [string, string] => {
    const [, kind = ''] = action.split('.')
    const page = named(say, 'page', kind)
    return [action, page === kind ? named(say, 'audit_kind', kind) : page]
  })
  return all.sort(([, one], [, other]) => one.localeCompare(other, locale))
}
