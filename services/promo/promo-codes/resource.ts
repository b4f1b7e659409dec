import { adoption, disowning } from '@gatehouse/proto/declaring/adoption.ts'
import {
  datetime,
  decimal,
  flag,
  identifier,
  integer,
  list,
  maybe,
  optionalDatetime,
  optionalText,
  pageQuery,
  record,
  subset,
  text,
} from '@gatehouse/proto/declaring/fields.ts'
import type { Message } from '@gatehouse/proto/declaring/messages.ts'
import { resource } from '@gatehouse/proto/declaring/resource.ts'
import type { Static, Type } from 'typebox'

const fields = {
  text: text({
    description: 'What is typed in a registration form; upper-cased, and unique in its event whatever the case',
  }),
  label: optionalText(),
  amount: decimal({ default: 0, minimum: 0, description: 'A share between 0 and 1 where percentage_of_total is true' }),
  percentage_of_total: flag({ default: false }),
  max_usage: integer({
    default: -1,
    minimum: -1,
    description: 'Guests who may use it; -1 for any number. Below times_used there are no further uses',
  }),
  is_enabled: flag({ default: true }),
  start_date: optionalDatetime({ description: 'Before it the code cannot be used' }),
  end_date: optionalDatetime({ description: 'After it the code cannot be used; not before start_date' }),
  timezone: text({
    default: 'UTC',
    description: 'Time zone, for display only: a name of the IANA, Rails or Windows',
    known: 'time_zones',
  }),
}

const promoCode = record({
  _id: identifier(),
  ...fields,
  times_used: integer({ description: 'Guests who hold the code now' }),
  searchable_keywords: list(text(), 'searchable_keyword', {
    description: 'Made by the service: the text in lower case, and the amount',
  }),
  event_id: identifier(),
  created_at: datetime(),
  updated_at: datetime(),
})

/** A discount code as it goes out. */
export type PromoCode = Static<typeof promoCode>

/** Discount codes of an event. A guest uses one by being created with its text as `promo_code`. */
export const promoCodes = resource('promo.promo_codes', 'promo_code', {
  list: {
    route: 'GET events/:event_id/promo_codes',
    scope: 'read',
    summary: 'Discount codes of an event, newest creation first',
    query: record(pageQuery),
    reply: list(promoCode, 'promo_code'),
  },
  read: {
    route: 'GET events/:event_id/promo_codes/:id',
    scope: 'read',
    summary: 'One discount code',
    reply: promoCode,
  },
  create: {
    route: 'POST events/:event_id/promo_codes',
    summary: 'Create a discount code',
    checks: true,
    body: record(fields),
    reply: promoCode,
    status: 201,
  },
  update: {
    route: 'PUT events/:event_id/promo_codes/:id',
    summary: 'Change fields of a discount code; guests who used it keep it with the text that they typed',
    checks: true,
    body: subset(fields),
    reply: promoCode,
    status: 204,
  },
  delete: {
    route: 'DELETE events/:event_id/promo_codes/:id',
    summary: 'Delete a discount code for good; guests who used it keep its text',
    reply: promoCode,
    status: 204,
  },
  adopt: adoption('promo_code', { ...fields, times_used: integer({ default: 0, minimum: 0 }) }),
  disown: disowning('promo_code'),
  admit: {
    summary: 'Whether guests may use the code with this text now, and how many, regardless of the uses so far',
    reads: true,
    body: record({ event_id: identifier(), text: text() }),
    reply: record({
      refusal: optionalText({ description: 'Why not' }) as Type.TUnsafe<Message | null>,
      promo_code: maybe(record({ _id: identifier(), text: text(), max_usage: integer() })),
    }),
  },
})
