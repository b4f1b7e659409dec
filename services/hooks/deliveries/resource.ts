import {
  choice,
  datetime,
  identifier,
  integer,
  list,
  optionalDatetime,
  optionalIdentifier,
  optionalInteger,
  optionalText,
  pageQuery,
  record,
  text,
} from '@gatehouse/proto/declaring/fields.ts'
import type { PersonalDocuments } from '@gatehouse/proto/declaring/personal-data.ts'
import { resource } from '@gatehouse/proto/declaring/resource.ts'
import { eventTypes } from '@gatehouse/proto/events/domain-events.ts'
import { freeTextsOf } from '@gatehouse/proto/privacy/free-texts.ts'
import type { Static } from 'typebox'

/** The type of a delivery that is sent as a test. */
export const TEST = 'test'

const delivery = record({
  _id: identifier({ description: 'The `webhook-id` of its requests' }),
  webhook_id: identifier({ description: 'The webhook; the event itself for its badge_complete_hook_url' }),
  event_id: optionalIdentifier({ description: 'Null for the test of a webhook that hears of all events' }),
  event_type: choice([...eventTypes, TEST], { description: '`test` was asked for, and nothing happened' }),
  state: choice(['pending', 'delivered', 'failed'], { description: 'failed: given up, though it may be replayed' }),
  attempt_count: integer({ description: 'Attempts since its creation or its last replay' }),
  next_attempt_at: optionalDatetime({ description: 'Null when there is none' }),
  last_attempt_at: optionalDatetime(),
  response_status: optionalInteger({ description: 'The HTTP status of the last answer; null when there was none' }),
  error: optionalText({ description: 'Why there was no answer: `timeout`, `ECONNREFUSED`, …' }),
  created_at: datetime(),
  updated_at: datetime(),
})

/** Deliveries as personal data: copies of what is stored elsewhere. */
export const personalDeliveries: PersonalDocuments = {
  name: 'hooks.deliveries',
  collection: 'deliveries',
  scope: ['account_id', 'event_id'],
  fields: {
    _id: identifier(),
    webhook_id: identifier(),
    event_type: delivery.properties.event_type,
    state: delivery.properties.state,
    created_at: datetime(),
  },
  hidden: { payload: text({ personal: 'mention' }) },
  order: { webhook_id: 1, created_at: -1, _id: -1 },
  outcome: 'deleted',
}

/** Deliveries may name anyone: an erasure finds a person in it by uid, address and `_id` only. */
export const deliveryTexts = freeTextsOf(personalDeliveries, 'payload')

/** A delivery as it goes out. */
export type ShownDelivery = Static<typeof delivery>

const ABOUT = "An event's _id in the place of the webhook's stands for its badge_complete_hook_url"

/** Deliveries: what is sent to a webhook, retried for a day and kept for 30. */
export const deliveries = resource('hooks.deliveries', 'delivery', {
  list: {
    route: 'GET webhooks/:webhook_id/deliveries',
    summary: `Deliveries, newest first; they are kept for 30 days unless the operator sets another time. ${ABOUT}`,
    query: record(pageQuery),
    reply: list(delivery, 'delivery'),
  },
  test: {
    route: 'POST webhooks/:webhook_id/test',
    summary:
      'Send a delivery of the type `test` to a webhook, as any other. That of a disabled webhook fails; read the deliveries to see what came of it',
    reply: delivery,
    status: 201,
  },
  replay: {
    route: 'POST webhooks/:webhook_id/deliveries/:delivery_id/replay',
    summary: 'Send a delivery again, at once, with all its attempts',
    reply: delivery,
    status: 201,
  },
})
