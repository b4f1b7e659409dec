import { type Resource, routesOf } from '@gatehouse/proto/declaring/resource.ts'
import { services } from '../../services/services.ts'
import type { OpenApiObject } from './schemas.ts'
import { SSO_TAG } from './sso.ts'

/** What the operations of each tag are about, and what holds for all of them. */
const abouts: Record<string, string> = {
  erasures: 'Erasures of personal data in an event, with their reports. Who was erased is not kept.',
  'event archives': 'An event with all that is in it, as one file.',
  'event imports': 'Imports of such files, which make the event again with the ids that it had.',
  events: 'Events of the account. A token that is bound to an event reaches no other.',
  'guest categories': 'What a guest is (VIP, press, crew), and through links what it may enter.',
  'guest fields': "Extra columns of an event's guest list.",
  guests:
    'Guests of an event. A creation with a blank `uid` generates one; an update refuses it. An update replaces lists and does not merge them.',
  'personal documents': 'The personal data that all services hold in an event, to be taken out.',
  statistics: 'The counts of an event.',
  accesspoints: 'Check-in points: places or activities where guests are checked in.',
  areas: 'Halls, rooms or other parts of the venue that check-in points lead into and out of.',
  'access controls':
    'Check-ins. A refusal is a stored check-in too, answered 201: look at `access_status`. See the guide about batches and retries for devices that were offline.',
  'guest category accesspoints': 'The links that give a guest category access to a check-in point.',
  'scan times': 'How long people at the doors wait for scans, and whether for the network or for Gatehouse.',
  signatures: 'Signatures that guests draw by hand at a check-in point, as vectors.',
  snapshots: 'What devices need to know to decide without a network.',
  'walk ins': 'Guests who are on no list, and are added and checked in at the door.',
  'promo codes': 'Discount codes. A guest uses one by being created with its text as `promo_code`.',
  'blocked recipients': "Addresses and domains to which no partner's invitations are sent.",
  'guest mails': 'What was written to a guest, with what became of it.',
  'invitation decisions': 'What the organizer decides about an invitation that was accepted.',
  'invitation types': 'The invitations that partners may send (guided tour, evening).',
  'mail events': 'What came back about e-mails, as a mail server of your own reports it.',
  mailings: 'What the organizer writes to guests.',
  'own campaigns': 'The campaign of a partner access token, as its partner sees it.',
  'page links':
    'Links to the page on which a partner invites in one campaign. A link is shown once, when it is made, and works until it expires or the links are renewed.',
  'partner access tokens': 'Tokens with which partners send invitations of one campaign.',
  'partner campaigns': 'Each attaches a partner to an invitation type, with a quota of e-mails.',
  'partner invitations':
    'Invitations that a partner sends by e-mail, in one campaign. An address is invited once in a campaign, however often it is given.',
  partners:
    'External parties that send invitations of their own, within a quota. A partner is addressed by its `_id` or its `uid`, also as `partner_id`. Deleting a partner or a campaign disables its discount codes, whose texts stay taken until the codes are deleted. If that cannot be completed the answer is 503, and the same request may be sent again.',
  'qr code mails': 'E-mails that bring guests their QR codes.',
  'registration pages': 'The public pages on which guests register.',
  registrations: 'Those of registration pages, and those of invitations about which the organizer decides.',
  suppressions: 'Addresses to which an event sends no more e-mails, because of what came back.',
  'test sends': 'E-mails with example values, which organizers send to see them.',
  connections:
    'Leads: the guests whom an exhibitor has scanned. A guest is one lead of an exhibitor, however often it is sent.',
  exhibitors: 'Exhibitors of an event. Each has one access token, and one for each phone.',
  'lead guests': 'Guests as exhibitors see them.',
  licenses: "QR code licences, which let a registered app read the event's ciphered QR codes.",
  'badge templates': 'Sizes and contents of badges. A guest category names one.',
  badges: 'Badges of guests.',
  files: 'Files of guests: one for each guest field of the type `file`.',
  'qr codes': 'QR codes of guests, and what is in them.',
  'wallet passes': 'Passes of guests for Apple Wallet and Google Wallet.',
  deliveries: 'What is sent to a webhook, retried for a day and kept for 30.',
  'webhook secrets': 'The secret with which the requests to webhooks of the account are signed.',
  webhooks: 'Addresses that get domain events, signed as Standard Webhooks says.',
  accounts: 'The account of the token.',
  tokens: 'API tokens of the account.',
  'audit records': 'What contacts did, and what staff members and tokens changed.',
  'contact fields': 'What the account stores of its contacts besides their names.',
  contacts: 'The people who sign in by single sign-on. Each contact field of the account is a further member.',
  devices: 'Devices of an event: each has a token of its own, which it gets for a one-time code.',
  invitations: 'Invitations of contacts to choose a password. A contact has one at a time.',
  'oauth apps': 'Apps to which contacts sign in.',
  'staff members': 'Contacts who use the console, each with a role.',
  [SSO_TAG]:
    'For browsers and sites, not for API tokens: see the guide. Contacts and apps are managed under contacts and oauth apps.',
}

/** The tag of a resource's operations. */
export function tagOf({ many }: Resource): string {
  return many.replaceAll('_', ' ')
}

/** The tags of the document, each with what it is about. */
export function tags(resources: readonly Resource[]): OpenApiObject[] {
  return [...resources.filter(hasRoutes).map(tagOf), SSO_TAG].map((name) => ({
    name,
    ...(abouts[name] && { description: abouts[name] }),
  }))
}

/** The tags grouped by service, for viewers. */
export function tagGroups(resources: readonly Resource[]): OpenApiObject[] {
  const titles: Record<string, { title: string }> = services
  const grouped = Object.groupBy(resources.filter(hasRoutes), ({ service }) => service)
  return Object.entries(grouped).map(([service, own = []]) => ({
    name: titles[service]?.title ?? service,
    tags: [...own.map(tagOf), ...(service === 'sso' ? [SSO_TAG] : [])],
  }))
}

function hasRoutes(resource: Resource): boolean {
  return Object.values(resource.actions).some((action) => routesOf(action))
}
