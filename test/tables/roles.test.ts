import { mayCall } from '@gatehouse/gateway/admission'
import document from '@gatehouse/gateway/openapi.json' with { type: 'json' }
import { formatsOf, isEventScoped, type Role, roles, subjectOf } from '@gatehouse/proto/declaring/resource.ts'
import { describe, expect, test } from 'vitest'
import { all, live } from './rows.ts'

// Which role of staff may do what, by hand: what changes here changes for staff.

/** What only owners may do. */
const OWNERS = `
hooks.webhook_secrets.read hooks.webhook_secrets.roll
guests.events.delete
sso.accounts.update sso.accounts.upload_logo sso.accounts.delete_logo
sso.tokens.list sso.tokens.create sso.tokens.revoke
sso.staff_members.list sso.staff_members.read sso.staff_members.create sso.staff_members.update sso.staff_members.delete
sso.staff_members.roll_link
sso.oauth_apps.list sso.oauth_apps.read sso.oauth_apps.create sso.oauth_apps.update sso.oauth_apps.roll_secret sso.oauth_apps.delete`

/** What door managers may do besides what viewers may. */
const DOOR_MANAGERS = `
checkin.accesspoints.create checkin.accesspoints.update checkin.accesspoints.delete
checkin.areas.create checkin.areas.update checkin.areas.delete
checkin.access_controls.create checkin.access_controls.batch_create checkin.access_controls.delete
checkin.walk_ins.create checkin.scan_times.report
checkin.signatures.create checkin.signatures.batch_create
badges.badges.print
sso.devices.create sso.devices.update sso.devices.revoke sso.devices.roll_code sso.devices.heartbeat`

/** What viewers may do; without the formats that are exports. */
const VIEWERS = `
guests.events.list guests.events.read guests.events.live guests.guest_categories.list guests.guest_categories.read
guests.guest_fields.list guests.guest_fields.read guests.guests.list guests.guests.read guests.statistics.read
checkin.accesspoints.list checkin.accesspoints.read checkin.areas.list checkin.areas.read checkin.guest_category_accesspoints.list checkin.access_controls.list
checkin.signatures.list checkin.snapshots.read checkin.scan_times.read
promo.promo_codes.list promo.promo_codes.read
partners.partners.list partners.partners.read partners.invitation_types.list partners.invitation_types.read
partners.partner_campaigns.list partners.partner_campaigns.read partners.partner_invitations.list partners.blocked_recipients.list partners.blocked_recipients.read
partners.suppressions.list partners.registrations.list partners.registrations.read partners.registration_pages.read partners.mailings.list partners.mailings.read partners.mailings.count_audience
partners.guest_mails.list
leads.exhibitors.list leads.exhibitors.read leads.connections.list leads.connections.of_event leads.connections.read
badges.badge_templates.list badges.badge_templates.read badges.badge_templates.preview badges.badge_templates.logo badges.files.list badges.files.read badges.qr_codes.decipher badges.qr_codes.key badges.wallet_passes.read
sso.accounts.read sso.tokens.me sso.devices.list sso.devices.read
sso.contacts.list sso.contacts.read sso.contact_fields.list sso.contact_fields.read`

const words = (text: string): string[] => text.split(/\s+/).filter(Boolean)
const least = new Map<string, Role>([
  ...words(OWNERS).map((subject) => [subject, 'owner'] as const),
  ...words(DOOR_MANAGERS).map((subject) => [subject, 'door_manager'] as const),
  ...words(VIEWERS).map((subject) => [subject, 'viewer'] as const),
])
const rows = [...all, live].filter(({ action }) => !action.secret)
const nameOf = ({ resource, name }: (typeof rows)[number]): string => subjectOf(resource, name)

/** The operations of the API document by their ids. */
const operations = new Map(
  Object.values(document.paths as Record<string, Record<string, Described>>)
    .flatMap((methods) => Object.values(methods))
    .map((operation) => [operation.operationId, operation]),
)

interface Described {
  operationId?: string
  'x-least-role'?: Role
  'x-least-role-of-suffix'?: Record<string, Role>
}

describe('the roles of staff', () => {
  test('the API document says of each action and each of its suffixes which role may call it', () => {
    // The live feed is described by hand.
    const wrong = rows
      .filter((row) => row !== live)
      .flatMap((row) => {
        const said = operations.get(`${row.resource.many}_${row.name}`)
        return formatsOf(row.action).flatMap((format) => {
          const role = said?.['x-least-role-of-suffix']?.[format] ?? said?.['x-least-role']
          const allowed = roles.filter((each) => mayCall({ scope: 'admin', role: each }, row.action, format))
          return role === allowed.at(-1) ? [] : [`${nameOf(row)}.${format}: ${role}, not ${allowed.at(-1)}`]
        })
      })
    expect(wrong).toEqual([])
    expect(operations.get('connections_list')).toMatchObject({
      'x-least-role': 'viewer',
      'x-least-role-of-suffix': { csv: 'door_manager' },
    })
  })

  test('each action is for the roles of the table, in each of its formats', () => {
    const found: string[] = []
    const wanted: string[] = []
    for (const row of rows) {
      const known = least.get(nameOf(row)) ?? 'organizer'
      for (const format of formatsOf(row.action)) {
        const isExport = known === 'viewer' && (row.action.exports?.includes(format) ?? false)
        const from = roles.indexOf(isExport ? 'door_manager' : known)
        for (const role of roles) {
          const label = `${nameOf(row)}.${format} ${role}`
          if (mayCall({ scope: 'admin', role }, row.action, format)) found.push(label)
          if (roles.indexOf(role) <= from) wanted.push(label)
        }
      }
    }
    expect(found).toEqual(wanted)
    expect(found.length).toBeGreaterThan(500)
  })

  test('the table names no action which does not exist', () => {
    const names = new Set(rows.map(nameOf))
    expect([...least.keys()].filter((subject) => !names.has(subject))).toEqual([])
  })

  test('who is bound to an event may do nothing to the account', () => {
    for (const { action } of rows.filter((row) => !isEventScoped(row.action) && row.action.scope === undefined))
      for (const role of roles) expect(mayCall({ scope: 'admin', role, event_id: 'x' }, action, 'json')).toBe(false)
  })
})
