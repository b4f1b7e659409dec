import { datetime, flag, identifier, integer, list, record, text } from '@gatehouse/proto/declaring/fields.ts'
import { resource } from '@gatehouse/proto/declaring/resource.ts'
import type { Static } from 'typebox'
import { printedFields } from '../guests/resource.ts'

const printed = record({
  _id: identifier(),
  ...printedFields,
  category: record({
    name: text(),
    badge_enabled: flag(),
    badge_qr_code_enabled: flag(),
    badge_ecard_in_qr_code_enabled: flag(),
  }),
  badge_completed: flag(),
  badge_due: flag({ description: 'Whether a badge is waited for' }),
  badge_order: integer({ description: 'Counts the orders; 0 before the first' }),
})

/** What a guest's badge and QR code are made from. */
export type Printed = Static<typeof printed>

const order = record({ event_id: identifier(), guest_id: identifier(), due: datetime() })

/** An order as it is told and queued: whose badge, and since when it is due. */
export type BadgeOrder = Static<typeof order>

const completion = record({
  guest_id: identifier(),
  badge_order: integer(),
  made: flag({ description: 'Whether there is a badge; otherwise none is wanted any more' }),
  told: flag({ description: 'Whether it was told before that this very badge is completed' }),
})

/** How an order ends. */
export type Completion = Static<typeof completion>

/**
 * Orders of badges. A guest who is to get one carries the order with it, stored in the same write as what ordered it, until the badge is
 * made: so none is lost. Only for the badges service.
 */
export const badgeOrders = resource('guests.badge_orders', 'badge_order', {
  printed: {
    summary: 'What badges and QR codes of these guests are made from; unknown ids are left out',
    reads: true,
    body: record({ event_id: identifier(), ids: list(identifier(), 'id') }),
    reply: list(printed, 'guest'),
  },
  known: {
    summary: 'Those of the given ids that are guests of the event',
    reads: true,
    body: record({ event_id: identifier(), ids: list(identifier(), 'id') }),
    reply: record({ ids: list(identifier(), 'id') }),
  },
  due: {
    summary: 'Orders in the order that they became due',
    reads: true,
    body: record({ after: list(order, 'order', { default: [], maxItems: 1 }), limit: integer({ minimum: 1 }) }),
    reply: list(order, 'order'),
  },
  complete: {
    summary:
      'Ends orders, with a badge or because none is wanted any more; not where the guest was ordered another since. Gives whose it ended',
    body: record({ event_id: identifier(), orders: list(completion, 'order') }),
    reply: record({ guest_ids: list(identifier(), 'guest_id') }),
  },
})
