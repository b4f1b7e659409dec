import * as badgesService from '@gatehouse/badges/resources'
import * as checkin from '@gatehouse/checkin/resources'
import * as partners from '@gatehouse/partners/resources'
import * as promo from '@gatehouse/promo/resources'
import { RECORDED_ACTS } from '@gatehouse/proto/audit/acts.ts'
import { deciding } from '@gatehouse/proto/declaring/cell-data.ts'
import { eventDataOf } from '@gatehouse/proto/declaring/event-data.ts'
import { asking, type Permissions } from '@gatehouse/proto/declaring/permissions/permissions.ts'
import { personalDataOf } from '@gatehouse/proto/declaring/personal-data.ts'
import { PUBLISHED_EVENTS } from '@gatehouse/proto/events/domain-events.ts'
import * as sso from '@gatehouse/sso/resources'
import * as topics from './topics.ts'

export const accesspoints = asking(checkin.accesspoints, 'copy', 'known')
export const links = asking(checkin.links, 'forget_category', 'of_categories', 'replace')
export const invitationTypes = asking(partners.invitationTypes, 'copy')
export const checkIns = asking(checkin.checkIns, 'counts', 'first_entries', 'follow', 'made_here', 'statistics')
export const promoCodes = asking(promo.promoCodes, 'admit')
export const badges = asking(badgesService.badges, 'of_guests')
export const badgeTemplates = asking(badgesService.badgeTemplates, 'copy', 'known')
export const files = asking(badgesService.files, 'of_guests')
export const contacts = asking(sso.contacts, 'with_addresses')
export const accounts = asking(sso.accounts, 'look')

/** The personal data of each service that holds any, in the order of its erasure: first guests, whose uids the door then refuses. */
export const personalData = ['guests', 'checkin', 'leads', 'partners', 'badges', 'hooks', 'sso'].map(personalDataOf)

/** What each service holds of events, in the order in which a deleted event is dropped, and an archive made: first who reaches it; guests last, by which others find theirs. */
export const eventData = ['sso', 'hooks', 'checkin', 'partners', 'leads', 'promo', 'badges', 'guests'].map((service) =>
  asking(eventDataOf(service), 'contents', 'drop', 'finish', 'put', 'read'),
)

/** What guests says and hears on the bus. */
export const permissions = {
  asks: [
    accesspoints,
    links,
    invitationTypes,
    checkIns,
    promoCodes,
    badges,
    badgeTemplates,
    files,
    contacts,
    accounts,
    ...personalData,
    ...eventData,
    ...PUBLISHED_EVENTS.asks,
    ...RECORDED_ACTS.asks,
    deciding,
  ],
  announces: [
    topics.changed,
    topics.leaving,
    topics.entered,
    topics.hostMails,
    topics.badgesDue,
    topics.gone,
    topics.archived,
    topics.imported,
  ],
  listens: [topics.changed, topics.leaving, topics.entered, topics.imported, ...PUBLISHED_EVENTS.listens],
  streams: PUBLISHED_EVENTS.streams,
} satisfies Permissions
