import * as checkin from '@gatehouse/checkin/resources'
import * as guestsService from '@gatehouse/guests/resources'
import { RECORDED_ACTS } from '@gatehouse/proto/audit/acts.ts'
import { opening } from '@gatehouse/proto/declaring/cell-data.ts'
import { asking, type Permissions } from '@gatehouse/proto/declaring/permissions/permissions.ts'
import * as topics from './topics.ts'

export const events = asking(guestsService.events, 'owner')
export const accesspoints = asking(checkin.accesspoints, 'known')

/** What sso processes announce to each other. */
const shared = [
  topics.accounts,
  topics.contacts,
  topics.oauthApps,
  topics.contactFields,
  topics.signIns,
  topics.voidTokens,
]

/** What sso says and hears on the bus. */
export const permissions = {
  asks: [events, accesspoints, opening, ...RECORDED_ACTS.asks],
  announces: [topics.tokens, ...shared],
  listens: shared,
  asksCells: [opening],
} satisfies Permissions
