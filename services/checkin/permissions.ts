import * as guestsService from '@gatehouse/guests/resources'
import * as guestTopics from '@gatehouse/guests/topics'
import { RECORDED_ACTS } from '@gatehouse/proto/audit/acts.ts'
import { deciding } from '@gatehouse/proto/declaring/cell-data.ts'
import { asking, type Permissions } from '@gatehouse/proto/declaring/permissions/permissions.ts'
import { PUBLISHED_EVENTS } from '@gatehouse/proto/events/domain-events.ts'

export const guests = asking(guestsService.guests, 'at_door', 'categories', 'create_walk_in', 'note_entries', 'resolve')
export const guestCategories = asking(guestsService.guestCategories, 'at_door', 'known')
export const guestFields = asking(guestsService.guestFields, 'at_door')
export const events = asking(guestsService.events, 'day_rule')

/** What checkin says and hears on the bus. */
export const permissions = {
  asks: [guests, guestCategories, guestFields, events, ...PUBLISHED_EVENTS.asks, ...RECORDED_ACTS.asks, deciding],
  listens: [guestTopics.changed, guestTopics.leaving, guestTopics.imported, ...PUBLISHED_EVENTS.listens],
  streams: PUBLISHED_EVENTS.streams,
} satisfies Permissions
