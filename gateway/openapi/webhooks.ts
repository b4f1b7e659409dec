import { type EventItems, eventItemsOf } from '@gatehouse/hooks/event-items'
import type { SchemaNode } from '@gatehouse/proto/declaring/fields.ts'
import { type EventType, eventTypes } from '@gatehouse/proto/events/domain-events.ts'
import { ids, stored } from './examples.ts'
import { exampleOf } from './make-examples.ts'
import { pascal } from './operations.ts'
import type { OpenApiObject, Schemas } from './schemas.ts'

/** What has happened when a webhook hears of it. */
const happened: Record<EventType, string> = {
  'check_in.created': 'A guest was checked in or refused',
  'check_in.deleted': 'A check-in was deleted',
  'guest.created': 'A guest was created',
  'guest.updated': 'A guest was changed',
  'guest.deleted': 'A guest was deleted',
  'lead.created': 'An exhibitor collected a lead',
  'badge.completed': "A guest's badge was made",
  'partner_campaign.paused': 'A partner campaign paused itself',
  'registration.pending': 'A recipient accepted an invitation and waits for the organizer',
}

/** What its example has otherwise than that of the resource. */
const inExample: Partial<Record<EventType, object>> = {
  'partner_campaign.paused': {
    paused_at: stored,
    pause_reason: 'Of 200 e-mails 24 came back for good, more than 10 %',
  },
  'registration.pending': { registration_state: 'pending' },
}

const items = new Map<EventType, EventItems>(
  await Promise.all(eventTypes.map(async (type) => [type, await eventItemsOf(type)] as const)),
)

/** The headers of a webhook's request, as components. */
export const webhookParameters = {
  webhook_id: header('webhook-id', 'The id of the message, the same at each attempt', ids.delivery),
  webhook_timestamp: header('webhook-timestamp', 'The moment of the attempt in Unix seconds', '1789668252'),
  webhook_signature: header(
    'webhook-signature',
    'A signature for each valid secret of the account: `v1,` and the HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}` in base 64',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
}

function header(name: string, description: string, example: unknown): OpenApiObject {
  return { name, in: 'header', required: true, description, schema: { type: 'string' }, example }
}

/** What webhooks receive, by the type of the event. `schemas` gets its schemas. */
export function webhookRequests(schemas: Schemas): Record<string, OpenApiObject> {
  return Object.fromEntries(eventTypes.map((type) => [type, { post: request(type, schemas) }]))
}

function request(type: EventType, schemas: Schemas): OpenApiObject {
  const { of, item } = items.get(type) as EventItems
  const data = { ...(exampleOf(item as SchemaNode, 'output', of.one) as object), ...inExample[type] }
  const name = `${pascal(type.replace('.', '_'))}Message`
  return {
    operationId: `webhook_${type.replace('.', '_')}`,
    tags: ['webhooks'],
    summary: happened[type],
    description: `${happened[type]}. A request of Gatehouse to each webhook that wants to hear of \`${type}\`, signed as Standard Webhooks says. Webhooks with \`payload: legacy\` get \`data\` alone, with its \`_type\`; those whose address ends in \`.xml\` get XML.`,
    security: [],
    parameters: Object.keys(webhookParameters).map((each) => ({ $ref: `#/components/parameters/${each}` })),
    requestBody: {
      description: 'What has happened',
      required: true,
      content: {
        'application/json': {
          schema: schemas.add(name, message(type, schemas.use(item as SchemaNode, of, pascal(of.one), 'output'))),
          example: { type, timestamp: stored, event_id: ids.event, data },
        },
      },
    },
    responses: {
      '2XX': {
        description:
          'Received: it is not sent again. Any other answer, or none in time, is followed by further attempts',
      },
      410: { description: 'No longer wanted: the webhook is disabled' },
    },
  }
}

/** The standard payload of an event. */
function message(type: EventType, data: OpenApiObject): OpenApiObject {
  return {
    type: 'object',
    description: `What a webhook receives of \`${type}\``,
    properties: {
      type: { type: 'string', enum: [type], description: 'What has happened' },
      timestamp: { type: 'string', format: 'date-time', description: 'When it happened' },
      event_id: { type: 'string', description: 'The event in which it happened' },
      data,
    },
    required: ['type', 'timestamp', 'event_id', 'data'],
  }
}
