import * as guestsService from '@gatehouse/guests/resources'
import * as guestTopics from '@gatehouse/guests/topics'
import { RECORDED_ACTS } from '@gatehouse/proto/audit/acts.ts'
import { deciding } from '@gatehouse/proto/declaring/cell-data.ts'
import { asking, type Permissions } from '@gatehouse/proto/declaring/permissions/permissions.ts'
import * as sso from '@gatehouse/sso/resources'

export const badgeOrders = asking(
  guestsService.badgeOrders,
  'complete',
  'count_printed',
  'due',
  'known',
  'longest_name',
  'metadata',
  'order_template',
  'printed',
  'printed_by_name',
)
export const events = asking(guestsService.events, 'campaign_terms', 'ciphering')
export const guestFields = asking(guestsService.guestFields, 'list')
export const accounts = asking(sso.accounts, 'logo', 'look')

/** What badges says and hears on the bus. */
export const permissions = {
  asks: [badgeOrders, events, guestFields, accounts, ...RECORDED_ACTS.asks, deciding],
  listens: [guestTopics.badgesDue, guestTopics.changed, guestTopics.gone],
  streams: [{ stream: 'badges', creates: true, publishes: 'work.badges', consumes: ['workers'] }],
} satisfies Permissions
