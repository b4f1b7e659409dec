import * as guestsService from '@gatehouse/guests/resources'
import { RECORDED_ACTS } from '@gatehouse/proto/audit/acts.ts'
import { deciding } from '@gatehouse/proto/declaring/cell-data.ts'
import { asking, type Permissions } from '@gatehouse/proto/declaring/permissions/permissions.ts'

export const guests = asking(guestsService.guests, 'promo_uses')

/** What promo says and hears on the bus. */
export const permissions = {
  asks: [guests, ...RECORDED_ACTS.asks, deciding],
} satisfies Permissions
