import * as badgesService from '@gatehouse/badges/resources'
import * as guestsService from '@gatehouse/guests/resources'
import * as guestTopics from '@gatehouse/guests/topics'
import * as mail from '@gatehouse/mail/resources'
import * as promo from '@gatehouse/promo/resources'
import { RECORDED_ACTS } from '@gatehouse/proto/audit/acts.ts'
import { deciding } from '@gatehouse/proto/declaring/cell-data.ts'
import { asking, type Permissions } from '@gatehouse/proto/declaring/permissions/permissions.ts'
import { PUBLISHED_EVENTS } from '@gatehouse/proto/events/domain-events.ts'
import * as sso from '@gatehouse/sso/resources'
import { SEND_QUEUE } from './delivery/sending/send-queue.ts'
import * as topics from './topics.ts'

export const events = asking(guestsService.events, 'owner', 'campaign_terms')
export const guests = asking(
  guestsService.guests,
  'audience',
  'create_invited',
  'known',
  'note_mailed',
  'read',
  'update',
)
export const guestCategories = asking(guestsService.guestCategories, 'known', 'registration')
export const guestFields = asking(guestsService.guestFields, 'list')
export const promoCodes = asking(promo.promoCodes, 'create', 'delete', 'update')
export const qrCodes = asking(badgesService.qrCodes, 'read')
export const badges = asking(badgesService.badges, 'file')
export const walletPasses = asking(badgesService.walletPasses, 'offered')
export const accounts = asking(sso.accounts, 'look')
export const outgoing = asking(mail.testSends, 'hand_over')

/** What partners says and hears on the bus. */
export const permissions = {
  asks: [
    events,
    guests,
    guestCategories,
    guestFields,
    promoCodes,
    qrCodes,
    badges,
    walletPasses,
    accounts,
    outgoing,
    ...PUBLISHED_EVENTS.asks,
    ...RECORDED_ACTS.asks,
    deciding,
  ],
  announces: [topics.confirmations],
  listens: [guestTopics.gone, ...PUBLISHED_EVENTS.listens],
  streams: [...PUBLISHED_EVENTS.streams, SEND_QUEUE],
} satisfies Permissions
