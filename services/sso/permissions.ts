import * as checkin from '@gatehouse/checkin/resources'
import * as guestsService from '@gatehouse/guests/resources'
import { RECORDED_ACTS } from '@gatehouse/proto/audit/acts.ts'
import { asking, type Permissions } from '@gatehouse/proto/permissions/permissions.ts'

export const events = asking(guestsService.events, 'owner')
export const accesspoints = asking(checkin.accesspoints, 'known')

/** What sso says and hears on the bus. */
export const permissions = {
  asks: [events, accesspoints, ...RECORDED_ACTS.asks],
  announces: ['tokens', 'accounts', 'contacts', 'oauth_apps', 'contact_fields', 'sign_ins', 'void'],
  listens: ['accounts', 'contacts', 'oauth_apps', 'contact_fields', 'sign_ins', 'void'],
} satisfies Permissions
