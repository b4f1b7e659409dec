import { type Action, subjectOf } from '@gatehouse/proto/declaring/resource.ts'
import { all, live } from '@gatehouse/test/tables/rows.ts'
import { type ActionRow, labelOf } from '@gatehouse/test/tables/world.ts'
import fc from 'fast-check'
import { busUsers } from '../services/bus-users.ts'
import { serviceNames, services } from '../services/services.ts'
import { announcements, declaredMessages, domainMessages, queued, wildMessages } from './bus-cases.ts'
import { type Case, placeholder } from './case.ts'
import { feedback } from './feedback-cases.ts'
import { declaredRequests, pageRequests, uploads, wildRequests } from './http-cases.ts'
import { rawRequests } from './raw-cases.ts'

/** What is attacked, and how. */
export interface FuzzTarget {
  name: string
  cases: fc.Arbitrary<Case>
  /** The action whose parameters the placeholders of a request stand for. */
  row?: ActionRow
}

const half = (declared: fc.Arbitrary<Case>, wild: fc.Arbitrary<Case>): fc.Arbitrary<Case> => fc.oneof(declared, wild)

function requestsOf(row: ActionRow): FuzzTarget {
  const path = `/api/v1/${(row.action.route ?? '').split(' ')[1]?.replaceAll(/:(\w+)/g, (_, name: string) => placeholder(name))}`
  const wild = wildRequests(`${path}.json?auth_token=${placeholder('auth_token')}`)
  return { name: labelOf(row), row, cases: half(declaredRequests(row), wild) }
}

/** The subjects of a service that are no actions. */
const FURTHER_SUBJECTS = [...serviceNames.map((name) => `${name}.health`), 'hooks.wanted']

function messagesOf(subject: string, action: Action): FuzzTarget {
  return { name: `bus ${subject}`, cases: half(declaredMessages(subject, action), wildMessages(subject)) }
}

const invitation = `/rsvp/${placeholder('invitation_id')}/${placeholder('rsvp_secret')}`
const campaign = `/partner/${placeholder('partner_campaign_id')}`

/** Pages, and the names of the fields that each knows. */
const pages: [path: string, fields: string][] = [
  ...[`/sso/${placeholder('slug')}`, ''].flatMap((mount): [string, string][] => [
    [
      `${mount}/oauth/authorize`,
      'client_id redirect_uri response_type scope state nonce prompt ui_locales code_challenge code_challenge_method claims max_age request response_mode',
    ],
    [`${mount}/oauth/token`, 'grant_type code redirect_uri client_id client_secret refresh_token code_verifier'],
    [`${mount}/oauth/userinfo`, 'access_token'],
    [`${mount}/oauth/keys`, 'x'],
    [`${mount}/oauth/revoke`, 'token token_type_hint client_id client_secret'],
    [`${mount}/oauth/introspect`, 'token client_id client_secret'],
    [`${mount}/oauth/logout`, 'id_token_hint post_logout_redirect_uri client_id state logout xsrf'],
    [`${mount}/contacts/sign_out`, 'redirect_uri'],
    [`${mount}/interaction/aaaaaaaaaaaaaaaaaaaaa`, 'email password code action'],
    [`${mount}/invitations/aaaaaaaaaaaaaaaaaaaaa`, 'password password_confirmation code'],
    [`${mount}/.well-known/openid-configuration`, 'x'],
  ]),
  ['/api/v1/me', 'auth_token'],
  [invitation, 'answer locale first_name last_name email company field_x'],
  [`${invitation}/unsubscribe`, 'locale'],
  [`/partner/${placeholder('partner_access_token')}`, 'locale page search'],
  [campaign, 'locale recipients csrf problem page state'],
  [`${campaign}/new`, 'recipients csrf file problem'],
  [`${campaign}/failed`, 'locale'],
  ['/docs', 'x'],
  ['/openapi.json', 'x'],
  ['/livez', 'x'],
  ['/readyz', 'x'],
]

/** Topics, queues and streams with their messages. */
function streams(): FuzzTarget[] {
  const topics = new Set(Object.values(busUsers).flatMap(({ listens = [] }) => listens))
  const [event_id, guest_id, partner_id] = ['event_id', 'guest_id', 'partner_id'].map(placeholder)
  const order = { event_id, guest_id, due: '2026-11-25T00:00:00.000Z' }
  const turn = { event_id, partner_id }
  return [
    ...Array.from(topics, ({ name }) => ({ name: `announcement ${name}`, cases: announcements(name) })),
    { name: 'stream domain', cases: domainMessages() },
    { name: 'stream live', cases: queued(`live.${event_id}`, [{ type: 'guest.created' }]) },
    { name: 'queue badges', cases: queued('work.badges', [order, { ...order, due: 'x' }, { ...order, due: null }]) },
    { name: 'queue mail', cases: queued(`work.mail.${partner_id}`, [turn, { ...turn, event_id: 1 }]) },
  ]
}

/** Everything that is attacked: each action over HTTP and over the bus, pages, streams, and the port of HTTP itself. */
export const targets: readonly FuzzTarget[] = [
  ...[...all, live].map(requestsOf),
  ...serviceNames.flatMap((service) =>
    services[service].resources.flatMap((resource) =>
      Object.entries(resource.actions).map(([name, action]) => messagesOf(subjectOf(resource, name), action)),
    ),
  ),
  ...FURTHER_SUBJECTS.map((subject) => ({ name: `bus ${subject}`, cases: wildMessages(subject) })),
  ...pages.map(([path, fields]) => ({
    name: `page ${path}`,
    cases: half(pageRequests(path, fields.split(' ')), wildRequests(path)),
  })),
  ...['ses', 'sendgrid', 'postmark', 'dsn'].map((provider) => ({
    name: `feedback of ${provider}`,
    cases: feedback(provider),
  })),
  { name: 'upload of recipients', cases: uploads(`${campaign}/new`) },
  ...streams(),
  // As often as some twenty actions.
  ...Array.from({ length: 20 }, (_, nth) => ({ name: `any path ${nth}`, cases: wildRequests() })),
  ...Array.from({ length: 20 }, (_, nth) => ({ name: `raw bytes ${nth}`, cases: rawRequests })),
]
