import { auditRecords } from '../audit/resource.ts'
import { checkIns } from '../check-ins/resource.ts'
import { declaredOf, type Role } from '../declared/declared.ts'
import { hasFailed } from '../devices/self-test.tsx'
import { hasCode, newCodesHref } from '../mailings/codes.ts'
import { NO_LIMIT, PAGE_LINK } from '../partners/links.ts'
import { events } from '../resources/resources.ts'
import { isDoor, LINKS } from '../rights/links.ts'
import { hrefOf } from '../route/route.ts'
import { client, type Item, read } from '../server/server.ts'
import { nameOf } from '../view/names.ts'

/** What is known of an event, and how far it is from an open door. */
export interface Progress {
  event: Item
  statistics: Item
  /** Whether each step of the checklist is done, in its order. */
  done: Record<Step, boolean>
  /** The names of the categories that may enter nowhere, where others may. */
  locked: string[]
  /** The steps at whose page there is nothing yet. */
  empty: ReadonlySet<Step>
  /** The optional steps that somebody has begun: whoever adds a partner wants it to invite. */
  begun: ReadonlySet<Step>
}

export type Step =
  | 'date'
  | 'categories'
  | 'points'
  | 'rights'
  | 'guests'
  | 'codes'
  | 'partners'
  | 'badges'
  | 'devices'
  | 'open'

/** The page on which each step is done, below the event's. */
const PLACES: Record<Step, string> = {
  date: 'settings',
  categories: 'guest_categories',
  points: 'accesspoints',
  rights: 'rights',
  guests: 'guests',
  codes: 'mailings',
  partners: 'partners',
  badges: 'badge_templates',
  devices: 'devices',
  open: 'live',
}

/** The steps of the checklist, in their order. */
export const steps = Object.keys(PLACES) as Step[]

/** Steps that not every event has. */
const OPTIONAL: ReadonlySet<Step> = new Set(['partners', 'badges'])

/** Whether an event may well do without a step. */
export function isOptional(step: Step): boolean {
  return OPTIONAL.has(step)
}

/** The step that is done on a page of an event. */
export function stepAt(place: string | undefined): Step | undefined {
  return steps.find((step) => PLACES[step] === place)
}

/** Who may do a step, at least. */
export function doerOf(step: Step): Role {
  if (step === 'date') return events.changes
  if (step === 'open') return checkIns.creates
  const path = step === 'rights' ? LINKS : `/api/v1/events/{event_id}/${PLACES[step]}.json`
  return declaredOf(path).creates ?? 'owner'
}

/** The address of a step, for those who may do it: the form of its first item where there is nothing yet. That of a mailing with codes has its texts. */
export function addressOf(event_id: string, step: Step, { empty }: Progress): string {
  const at = ['events', event_id, PLACES[step]]
  if (!empty.has(step)) return hrefOf(...at)
  return step === 'codes' ? newCodesHref(event_id) : hrefOf(...at, 'new')
}

/** Reads how far an event is, for somebody who may do some steps. */
export async function readProgress(
  event_id: string,
  mayChange: (least: Role) => boolean,
  signal: AbortSignal,
): Promise<Progress> {
  const params = { event_id }
  const list = (name: string, query = {}) =>
    read<Item[]>(`/api/v1/events/{event_id}/${name}.json`, params, query, signal)
  const [
    { data: event },
    { data: statistics },
    categories,
    points,
    devices,
    links,
    sent,
    partners,
    templates,
    printed,
  ] = await Promise.all([
    client.GET('/api/v1/events/{event_id}.json', { params: { path: params }, signal }),
    client.GET('/api/v1/events/{event_id}/statistics.json', { params: { path: params }, signal }),
    list('guest_categories'),
    list('accesspoints'),
    list('devices'),
    read<Item[]>(LINKS, params, {}, signal),
    list('mailings'),
    list('partners'),
    list('badge_templates'),
    mayChange(auditRecords.sees) && hasMadeBadges(event_id, signal),
  ])
  // There are several ways to the first guests: the list names them.
  const hasScans = statistics.check_in_count > 0
  const locked = categories.filter((category) => !mayEnter(category, points, links)).map(nameOf)
  const lists = { categories, points, devices, partners, codes: sent.filter(hasCode) }
  return {
    event,
    statistics,
    locked: locked.length < categories.length ? locked : [],
    begun: new Set<Step>(partners.length > 0 ? ['partners'] : []),
    empty: new Set((Object.keys(lists) as (keyof typeof lists)[]).filter((step) => lists[step].length === 0)),
    done: {
      date: event.start_date !== null,
      categories: categories.length > 0,
      points: points.length > 0,
      rights: categories.length > 0 && locked.length === 0,
      guests: event.guest_count > 0,
      codes: await hasSentCodes(sent, () => list('guests', { mailed: true, per_page: 1 })),
      partners: await canInvite(partners, mayChange(doerOf('partners')), signal),
      // There is a usual badge, too: whoever prints is set. But nobody has a badge where no category has them.
      badges:
        categories.some(({ badge_enabled }) => badge_enabled === true) &&
        (templates.length > 0 || printed || devices.some(({ kind }) => kind === 'printer')),
      devices: devices.some(
        // A scan that was answered is a test, too; but one that something failed in has to be passed first.
        (device) =>
          !hasFailed(device) && (device.self_test || (hasScans && device.enrolled_at && device.kind !== 'printer')),
      ),
      open: statistics.checked_in_guest_count > 0,
    },
  }
}

/** Whether the file of all badges was made, which the audit log alone knows. */
async function hasMadeBadges(event_id: string, signal: AbortSignal): Promise<boolean> {
  const query = { event_id, action: 'badges.badges.print', per_page: 1 }
  return (await read<Item[]>(auditRecords.path, {}, query, signal)).length > 0
}

/** Whether guests of a category may enter somewhere. */
function mayEnter({ _id }: Item, points: readonly Item[], links: readonly Item[]): boolean {
  const doors = new Set(points.filter(isDoor).map((point) => point._id))
  return links.some(({ guest_category_id, accesspoint_id }) => guest_category_id === _id && doors.has(accesspoint_id))
}

/**
 * Whether there are partners, each may invite to something, and the one added last has the link to its page, which earlier ones were given in their
 * turn. Who may not do the step may not read that either.
 */
async function canInvite(partners: readonly Item[], mayRead: boolean, signal: AbortSignal): Promise<boolean> {
  const campaignsOf = ({ partner_campaigns }: Item) => partner_campaigns as Item[]
  const last = partners.toSorted((one, other) => String(one.created_at).localeCompare(String(other.created_at))).at(-1)
  if (!last || !partners.every((partner) => campaignsOf(partner).length > 0)) return false
  const used = ({ quota, nb_email_sent }: Item) => quota === NO_LIMIT || Number(nb_email_sent) > 0
  if (!mayRead || campaignsOf(last).some(used)) return true
  const links = campaignsOf(last).map(({ _id, invitation_type_id }) => {
    const path = {
      event_id: String(last.event_id),
      invitation_type_id: String(invitation_type_id),
      partner_campaign_id: String(_id),
    }
    return client.GET(`${PAGE_LINK}.json`, { params: { path }, signal })
  })
  return (await Promise.all(links)).some(({ data }) => data.link_count > 0)
}

/**
 * Whether some guest was sent a code: by a mailing, or by itself. Guests tell only that an e-mail went to them, so they are asked where no mailing
 * without a code can have been that.
 */
async function hasSentCodes(mailings: readonly Item[], readMailed: () => Promise<Item[]>): Promise<boolean> {
  const started = mailings.filter(({ started_at }) => started_at !== null)
  if (started.some(hasCode)) return true
  return started.length === 0 && (await readMailed()).length > 0
}
