import * as guestsService from '@gatehouse/guests/resources'
import { RECORDED_ACTS } from '@gatehouse/proto/audit/acts.ts'
import { asking, type Permissions } from '@gatehouse/proto/declaring/permissions/permissions.ts'
import * as topics from './topics.ts'

export const guests = asking(guestsService.guests, 'promo_uses')

/** What promo says and hears on the bus. */
export const permissions = {
  asks: [guests, ...RECORDED_ACTS.asks],
  announces: [topics.changed],
  listens: [topics.changed],
} satisfies Permissions
