import * as guestsService from '@gatehouse/guests/resources'
import { RECORDED_ACTS } from '@gatehouse/proto/audit/acts.ts'
import { deciding } from '@gatehouse/proto/declaring/cell-data.ts'
import { asking, type Permissions } from '@gatehouse/proto/declaring/permissions/permissions.ts'
import { wantedTypes } from '@gatehouse/proto/events/domain-events.ts'

export const events = asking(guestsService.events, 'badge_hook', 'owner')
export const guests = asking(guestsService.guests, 'of_uids')

/** What hooks says and hears on the bus. */
export const permissions = {
  asks: [events, guests, ...RECORDED_ACTS.asks, deciding],
  announces: [wantedTypes],
  streams: [
    { stream: 'domain', creates: true, consumes: ['hooks', 'live'] },
    { stream: 'live', creates: true, publishes: 'live.*', gets: true },
  ],
} satisfies Permissions
