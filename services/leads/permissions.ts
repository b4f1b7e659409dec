import * as guestsService from '@gatehouse/guests/resources'
import { RECORDED_ACTS } from '@gatehouse/proto/audit/acts.ts'
import { deciding } from '@gatehouse/proto/declaring/cell-data.ts'
import { asking, type Permissions } from '@gatehouse/proto/declaring/permissions/permissions.ts'
import { PUBLISHED_EVENTS } from '@gatehouse/proto/events/domain-events.ts'

export const events = asking(guestsService.events, 'ciphering', 'network')
export const guests = asking(guestsService.guests, 'disclosed', 'found', 'resolve')

/** What leads says and hears on the bus. */
export const permissions = {
  asks: [events, guests, ...PUBLISHED_EVENTS.asks, ...RECORDED_ACTS.asks, deciding],
  listens: PUBLISHED_EVENTS.listens,
  streams: PUBLISHED_EVENTS.streams,
} satisfies Permissions
