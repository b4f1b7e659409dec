import {
  datetime,
  flag,
  identifier,
  integer,
  list,
  maybe,
  optionalIdentifier,
  optionalText,
  record,
  SUBJECT_WORD,
  text,
} from '@gatehouse/proto/declaring/fields.ts'
import { resource } from '@gatehouse/proto/declaring/resource.ts'
import type { Static } from 'typebox'
import { printedFields } from '../guests/resource.ts'

const printed = record({
  _id: identifier(),
  ...printedFields,
  party_size: integer(),
  category: record({
    name: text(),
    badge_enabled: flag(),
    badge_qr_code_enabled: flag(),
    badge_ecard_in_qr_code_enabled: flag(),
    badge_template_id: optionalIdentifier(),
  }),
  badge_completed: flag(),
  badge_due: flag({ description: 'Whether the guest waits for a badge' }),
  badge_order: integer({ description: 'Counts the orders; 0 before the first' }),
})

/** What a guest's badge and QR code are made of. */
export type Printed = Static<typeof printed>

/** A place in the order by name. */
const place = record({ sort_name: text({ pattern: '', maxLength: 1_000 }), id: identifier() })
export type Place = Static<typeof place>

/** Which guests are printed. */
const selection = {
  event_id: identifier(),
  categories: maybe(list(identifier(), 'category', { description: 'Only those of these categories' })),
  checked_in: maybe(flag({ description: 'Only those who have come in, or only those who have not' })),
}

/** Which guests are printed. */
export type Selection = Static<ReturnType<typeof record<typeof selection>>>

/** An order as it is announced and queued: for whom, and since when it is due. */
export const order = record({
  event_id: identifier(),
  guest_id: text({ pattern: SUBJECT_WORD.source }),
  due: datetime(),
})

/** An order as it is announced and queued. */
export type BadgeOrder = Static<typeof order>

const completion = record({
  guest_id: identifier(),
  badge_order: integer(),
  made: flag({ description: 'Whether the badge is made; otherwise none is wanted any more' }),
  told: flag({ description: 'Whether the completion of this badge was published before' }),
})

/** How an order ends. */
export type Completion = Static<typeof completion>

/**
 * Orders of badges, for the badges service only. An order is stored in the guest, in the write which makes the badge necessary, until the
 * badge is made: so none is lost.
 */
export const badgeOrders = resource('guests.badge_orders', 'badge_order', {
  printed: {
    summary: 'What badges and QR codes of these guests are made of; unknown ids are left out',
    reads: true,
    body: record({ event_id: identifier(), ids: list(identifier(), 'id') }),
    reply: list(printed, 'guest'),
  },
  printed_by_name: {
    summary:
      'A page of what badges are made of, for guests whose categories have badges: by last name, then first name',
    reads: true,
    body: record({
      ...selection,
      after: list(place, 'place', { default: [], maxItems: 1 }),
      limit: integer({ minimum: 1 }),
    }),
    reply: record({
      guests: list(printed, 'guest'),
      after: list(place, 'place', { description: 'Where the next page begins; empty: that was all' }),
    }),
  },
  count_printed: {
    summary: 'How many guests there are on all such pages',
    reads: true,
    body: record(selection),
    reply: record({ count: integer() }),
  },
  known: {
    summary: 'Those of the given ids that are guests of the event',
    reads: true,
    body: record({ event_id: identifier(), ids: list(identifier(), 'id') }),
    reply: record({ ids: list(identifier(), 'id') }),
  },
  metadata: {
    summary:
      'The metadata of these names that these guests have, which badges by templates show; values of over 500 characters are cut off there',
    reads: true,
    body: record({
      event_id: identifier(),
      ids: list(identifier(), 'id'),
      names: list(text({ pattern: '' }), 'name'),
    }),
    reply: list(
      record({
        _id: identifier(),
        guest_metadata: list(record({ name: text(), value: optionalText({ maxLength: 10_000 }) }), 'guest_metadatum'),
      }),
      'guest',
    ),
  },
  longest_name: {
    summary: 'The guest with the longest name; null if the event has no guests',
    reads: true,
    body: record({ event_id: identifier() }),
    reply: record({ guest_id: optionalIdentifier() }),
  },
  order_template: {
    summary:
      'Orders badges for all guests of the categories that name a badge template, after it has changed; once it is deleted they name none',
    body: record({ event_id: identifier(), badge_template_id: identifier(), is_deleted: flag() }),
    reply: record({}),
  },
  due: {
    summary: 'Orders, oldest first',
    reads: true,
    body: record({ after: list(order, 'order', { default: [], maxItems: 1 }), limit: integer({ minimum: 1 }) }),
    reply: list(order, 'order'),
  },
  complete: {
    summary:
      'Ends orders, with a badge or because none is wanted any more, unless there is a newer order. Gives the guests whose orders it ended',
    body: record({ event_id: identifier(), orders: list(completion, 'order') }),
    reply: record({ guest_ids: list(identifier(), 'guest_id') }),
  },
})
