import { adoption, disowning } from '@gatehouse/proto/declaring/adoption.ts'
import type { FieldErrors } from '@gatehouse/proto/declaring/faults.ts'
import {
  choice,
  flag,
  identifier,
  integer,
  list,
  maybe,
  optionalDatetime,
  record,
  subset,
} from '@gatehouse/proto/declaring/fields.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import { resource } from '@gatehouse/proto/declaring/resource.ts'

/** What a link gives a category: as many check-ins at a point, in all or each day, within a time. */
export const linkTerms = {
  accesspoint_id: identifier(),
  max_allowed_accesses: integer({
    default: -1,
    minimum: -1,
    maximum: 1_000_000,
    description: 'How many granted check-ins each guest of the category has at the point; -1: no limit',
    formerly: [{ name: 'access_once', values: { true: 1, false: -1, '1': 1, '0': -1 } }],
  }),
  valid_from: optionalDatetime({ description: 'From when on guests are let in; null: always' }),
  valid_until: optionalDatetime({ description: 'Until when guests are let in, exclusive; null: always' }),
  period: choice(['event', 'day'], {
    default: 'event',
    description: 'Whether max_allowed_accesses is for the whole event or for each of its days',
  }),
  reentry: flag({
    default: false,
    description: 'Whether guests who come out may come in again: an exit gives back what the entries took',
  }),
}

/** The error of a time that ends before it begins. */
export function linkTimeErrors({
  valid_from,
  valid_until,
}: {
  valid_from?: Date | null
  valid_until?: Date | null
}): FieldErrors {
  const isWrong = valid_from && valid_until && valid_until < valid_from
  return isWrong ? { valid_until: [messageOf('ends_before_beginning', { field: 'valid_from' })] } : {}
}

const fields = { guest_category_id: identifier(), ...linkTerms }

/** A link as it stands in its category and in its check-in point. */
export const linkShape = record({
  max_allowed_accesses: integer(),
  valid_from: optionalDatetime(),
  valid_until: optionalDatetime(),
  period: choice(['event', 'day']),
  reentry: flag(),
  accesspoint_id: identifier(),
  guest_category_id: identifier(),
})

const link = record({ _id: identifier(), id: identifier(), ...fields })

/** Guest category accesspoints: the links that give a category access to a check-in point. */
export const links = resource('checkin.guest_category_accesspoints', 'guest_category_accesspoint', {
  list: {
    route: 'GET events/:event_id/guest_category_accesspoints',
    scope: 'door',
    summary: 'Links of an event, of a category or of a check-in point',
    query: record({ guest_category_id: maybe(identifier()), accesspoint_id: maybe(identifier()) }),
    reply: list(link, 'guest_category_accesspoint'),
  },
  create: {
    route: 'POST events/:event_id/guest_category_accesspoints',
    summary: 'Give a category access to a check-in point',
    checks: true,
    body: record(fields),
    reply: link,
    status: 201,
  },
  update: {
    route: 'PUT events/:event_id/guest_category_accesspoints/:id',
    summary: 'Change a link',
    checks: true,
    body: subset(fields),
    reply: link,
    status: 204,
  },
  delete: {
    route: 'DELETE events/:event_id/guest_category_accesspoints/:id',
    summary: 'Take the access away',
    reply: link,
    status: 204,
  },
  adopt: adoption('guest_category_accesspoint', fields),
  disown: disowning('guest_category_accesspoint'),
  of_categories: {
    summary: 'All links of an event, or of some of its categories',
    reads: true,
    body: record({ event_id: identifier(), guest_category_ids: maybe(list(identifier(), 'id')) }),
    reply: list(linkShape, 'guest_category_accesspoint'),
  },
  replace: {
    summary: 'Puts links in the place of all that a category has. Check-in points that are gone by then are left out',
    body: record({
      event_id: identifier(),
      guest_category_id: identifier(),
      links: list(record(linkTerms), 'guest_category_accesspoint'),
    }),
    reply: list(linkShape, 'guest_category_accesspoint'),
  },
  forget_category: {
    summary: 'Deletes the links of a category that was deleted',
    body: record({ event_id: identifier(), guest_category_id: identifier() }),
    reply: record({ done: flag() }),
  },
})
