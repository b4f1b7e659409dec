import type { SchemaNode } from '@gatehouse/proto/declaring/fields.ts'
import { type Action, scopes } from '@gatehouse/proto/declaring/resource.ts'
import { eventTypes } from '@gatehouse/proto/events/domain-events.ts'
import fc from 'fast-check'
import type { TSchema } from 'typebox'
import { type BusCase, placeholder } from './case.ts'
import { anyJson, anyText, damaged, damages, rarely, referringValuesOf, spoilings, spoilt } from './values.ts'

/* Messages to the bus, as docs/protocol.md describes them. */

const LARGEST = [0, 1, 2, 3, 2 ** 31, 2 ** 53, 1e308]

/** The fields of a request's first line, right or wrong. */
function lineOf({ route, query, produces, upload }: Action): fc.Arbitrary<string> {
  const params = Array.from((route ?? '').matchAll(/:(\w+)/g), ([, name = '']) => name)
  const right = fc.record(
    {
      params: fc.constant(Object.fromEntries(params.map((name) => [name, placeholder(name)]))),
      query: query ? referringValuesOf(query as TSchema as SchemaNode) : fc.constant({}),
      caller: fc.record({
        account_id: fc.constant(placeholder('account_id')),
        token_id: fc.constantFrom('a'.repeat(24), 'b'.repeat(24)),
        scope: fc.constantFrom(...scopes),
      }),
      actor: fc.constant({ name: 'fuzz', address: '127.0.0.1' }),
      idempotency_key: fc.constantFrom('same', 'other'),
      format: fc.constantFrom('json', 'xml', ...Object.keys(produces ?? {})),
      content_type: fc.constantFrom(...(upload?.types ?? ['application/json'])),
      represent: fc.boolean(),
      traceparent: fc.constant(`00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`),
      budget: fc.integer({ min: 1, max: 5_000 }),
    },
    { requiredKeys: ['params', 'query', 'caller'] },
  )
  const names = [
    'params',
    'query',
    'caller',
    'actor',
    'idempotency_key',
    'format',
    'content_type',
    'represent',
    'budget',
  ]
  const wrong = fc.array(
    fc.tuple(
      fc.constantFrom(...names, 'parts', 'traceparent', 'tracestate', 'undeclared'),
      fc.oneof(anyJson, fc.constantFrom(...LARGEST.map(String), '{"event_id":{"$ne":null}}', '{"scope":"admin"}')),
    ),
    { maxLength: 2 },
  )
  return (
    fc
      .tuple(right, fc.oneof({ arbitrary: fc.constant([]), weight: 2 }, wrong))
      // Of several members with one name the last counts.
      .map(
        ([line, others]) =>
          `${JSON.stringify(line).slice(0, -1)}${others.map(([name, raw]) => `,"${name}":${raw}`).join('')}}`,
      )
  )
}

/** Requests to a service that are made from the declaration of an action. */
export function declaredMessages(subject: string, action: Action): fc.Arbitrary<BusCase> {
  const schema = action.body as SchemaNode | undefined
  const body = schema
    ? fc.tuple(referringValuesOf(schema), spoilings).map(([value, spoiling]) => spoilt(schema, value, spoiling))
    : fc.oneof(fc.constant(''), anyText)
  return fc
    .record({
      line: lineOf(action),
      body,
      damage: damages,
      announced: rarely(fc.constantFrom(2, 3, 1_000_000), 8),
      sent: fc.nat(3),
    })
    .map(({ line, body, damage, announced, sent }) => {
      const head = announced === null ? line : `${line.slice(0, -1)},"parts":${announced}}`
      return {
        kind: 'bus',
        subject,
        payload: `${head}\n${damaged(body, damage)}`,
        parts: announced === null ? [] : Array.from({ length: sent }, () => ' '),
        answeredBy: 'service',
      }
    })
}

/** Messages to a service that are made from nothing. */
export function wildMessages(subject: string): fc.Arbitrary<BusCase> {
  const line = fc.oneof(anyText, anyJson, fc.constantFrom('', '{}', '{"params":{}}', '{"__proto__":{"caller":{}}}'))
  return fc
    .tuple(line, fc.constantFrom('\n', '', '\n\n', '\r\n'), fc.oneof(anyText, anyJson), damages)
    .map(([head, end, body, damage]) => message(subject, damaged(`${head}${end}${body}`, damage), 'service'))
}

/** Announcements of a topic. */
export function announcements(topic: string): fc.Arbitrary<BusCase> {
  const fields = [
    'event_id',
    'guest_id',
    'account_id',
    'contact_id',
    'client_id',
    'uids',
    'moved_from',
    'created_at',
    'due',
  ]
  const known = [...['event_id', 'guest_id', 'account_id'].map(placeholder), '2026-11-25T00:00:00Z']
  const object = fc.dictionary(fc.constantFrom(...fields), fc.oneof(fc.constantFrom(...known), anyText))
  const payload = fc.oneof(
    anyText,
    anyJson,
    object.map((each) => JSON.stringify(each)),
    fc.array(object, { maxLength: 3 }).map((each) => JSON.stringify(each)),
  )
  return payload.map((text) => message(`changed.${topic}`, text, 'nobody'))
}

/** Messages of the stream of domain events. */
export function domainMessages(): fc.Arbitrary<BusCase> {
  const head = fc.record(
    {
      id: fc.oneof(fc.uuid(), anyText),
      type: fc.oneof({ arbitrary: fc.constantFrom<string>(...eventTypes), weight: 4 }, anyText),
      event_id: fc.constantFrom(placeholder('event_id'), 'f'.repeat(24)),
      at: fc.constantFrom('2026-11-25T00:00:00.000Z', 'x', '', '+275760-09-13T00:00:00.001Z'),
      traces: fc.dictionary(fc.constantFrom('a', '__proto__'), anyText),
    },
    { requiredKeys: ['id', 'type', 'event_id', 'at'] },
  )
  const item = fc.oneof(
    fc.constantFrom('{"_id":"@guest_id@"}', '{"_id":"@guest_id@","guest_uid":"@guest_uid@"}', '{}', 'null', '5'),
    anyJson,
    anyText,
  )
  const payload = fc.oneof(
    anyText,
    fc
      .tuple(head, fc.array(item, { maxLength: 3 }), damages)
      .map(([line, items, damage]) => damaged([JSON.stringify(line), ...items].join('\n'), damage)),
  )
  return payload.map((text) => message(`domain.${placeholder('event_id')}`, text, 'stream'))
}

/** Messages of a work queue, whose right ones are `right`. */
export function queued(subject: string, right: readonly object[]): fc.Arbitrary<BusCase> {
  const payload = fc.oneof(
    anyText,
    anyJson,
    fc.tuple(fc.constantFrom(...right), damages).map(([each, damage]) => damaged(JSON.stringify(each), damage)),
  )
  return payload.map((text) => message(subject, text, 'stream'))
}

function message(subject: string, payload: string, answeredBy: BusCase['answeredBy']): BusCase {
  return { kind: 'bus', subject, payload, parts: [], answeredBy }
}
