import { accessStatuses } from '@gatehouse/proto/declaring/access-status.ts'
import {
  choice,
  datetime,
  flag,
  identifier,
  integer,
  list,
  optionalIdentifier,
  record,
  subset,
  text,
  WEB_ADDRESS,
} from '@gatehouse/proto/declaring/fields.ts'
import { resource } from '@gatehouse/proto/declaring/resource.ts'
import { eventTypes } from '@gatehouse/proto/events/domain-events.ts'
import type { Static } from 'typebox'

const fields = {
  url: text({
    pattern: WEB_ADDRESS,
    maxLength: 2000,
    description:
      'Gets a POST for each event, in XML if its path ends in `.xml`, else in JSON. Its host must have public addresses only',
  }),
  event_types: list(choice(eventTypes), 'event_type', {
    default: [],
    maxItems: 50,
    description: 'What it wants to hear of; everything when empty, with payload legacy all but check_in.deleted',
  }),
  event_id: optionalIdentifier({ description: 'The only event that it hears of; any of the account when null' }),
  access_statuses: list(integer({ minimum: 0, maximum: 3, values: accessStatuses }), 'access_status', {
    default: [],
    maxItems: 4,
    description: 'The check-ins that it hears of, by their access_status: 0 for granted ones alone; all when empty',
  }),
  payload: choice(['standard', 'legacy'], {
    default: 'standard',
    description:
      'What it gets. standard: {type, timestamp, event_id, data}. legacy: the thing itself, with `_type`: AccessControl and Connection with their `guest` (`_type` Guest, with metadata) inside (null where there is no such guest), and Guest. A guest inside that is larger than 16 KiB lacks `guest_metadata`, and where it is still larger `access_privileges` and `message` too. Holds for what happens from then on',
  }),
  is_enabled: flag({ default: true, description: 'Becomes false by itself when the receiver answers 410' }),
}

const webhook = record({
  _id: identifier(),
  ...fields,
  account_id: identifier(),
  created_at: datetime(),
  updated_at: datetime(),
})

/** A webhook as it goes out and as it is stored. */
export type Webhook = Static<typeof webhook>

/** Webhooks of an account: addresses that get domain events, signed according to Standard Webhooks. */
export const webhooks = resource('hooks.webhooks', 'webhook', {
  list: { route: 'GET webhooks', summary: 'Webhooks of the account, newest first', reply: list(webhook, 'webhook') },
  read: { route: 'GET webhooks/:id', summary: 'One webhook', reply: webhook },
  create: {
    route: 'POST webhooks',
    summary: 'Create a webhook. 422 where the account has as many webhooks as it may',
    checks: true,
    body: record(fields),
    reply: webhook,
    status: 201,
  },
  update: {
    route: 'PUT webhooks/:id',
    summary: 'Change fields of a webhook; what waits for a disabled one is given up',
    checks: true,
    body: subset(fields),
    reply: webhook,
    status: 204,
  },
  delete: {
    route: 'DELETE webhooks/:id',
    summary: 'Delete a webhook with its deliveries',
    reply: webhook,
    status: 204,
  },
})
