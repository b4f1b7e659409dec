import type { SchemaNode } from '@gatehouse/proto/declaring/fields.ts'
import { routesOf } from '@gatehouse/proto/declaring/resource.ts'
import { elementName, xmlWriterOf } from '@gatehouse/proto/formats/xml.ts'
import { type ActionRow, suffixesOf } from '@gatehouse/test/tables/world.ts'
import fc from 'fast-check'
import { type HttpCase, placeholder } from './case.ts'
import { oddHeaders } from './headers.ts'
import {
  anyJson,
  anyQuery,
  anyText,
  anyXml,
  damaged,
  damages,
  rarely,
  referringValuesOf,
  spoilings,
  spoilt,
} from './values.ts'

/* Requests over HTTP. */

type Encoded = Pick<HttpCase, 'body'> & { type: string }

const NONE: SchemaNode = { type: 'object', properties: {} }

/** Requests that are made from the declaration of an action, with some fields, headers or parameters replaced by others. */
export function declaredRequests(row: ActionRow): fc.Arbitrary<HttpCase> {
  const { action, method } = row
  const { paths = [] } = routesOf(action) ?? {}
  return fc
    .record({
      path: fc.constantFrom(...paths),
      suffix: fc.oneof(
        { arbitrary: fc.constantFrom(...suffixesOf(row)), weight: 12 },
        fc.constantFrom('', '.xml', '.html', '.JSON'),
      ),
      wrongParameter: rarely(fc.tuple(fc.nat(5), anyText), 8),
      query: queryOf(row),
      headers: fc.oneof(fc.constant([]), oddHeaders(2)),
      authorized: fc.oneof(
        { arbitrary: fc.constant(placeholder('auth_token')), weight: 9 },
        fc.constantFrom('', 'gh_wrong', placeholder('read_token'), placeholder('door_token')),
      ),
      encoded: bodyOf(row),
      damage: damages,
    })
    .map(({ path, suffix, wrongParameter, query, headers, authorized, encoded, damage }) => {
      const names = Array.from(path.matchAll(/:(\w+)/g), ([, name]) => name ?? '')
      const wrong = wrongParameter && names[wrongParameter[0] % Math.max(1, names.length)]
      const filled = path.replaceAll(/:(\w+)/g, (_, name: string) =>
        name === wrong ? encodeURIComponent((wrongParameter?.[1] ?? '').toWellFormed()) : placeholder(name),
      )
      const asked = [...(action.secret ? [] : [`auth_token=${authorized}`]), ...query]
      const body = damaged(encoded.body, damage)
      return {
        kind: 'http',
        method,
        path: `${filled}${suffix}${asked.length > 0 ? `?${asked.join('&')}` : ''}`,
        headers: [...(body === '' ? [] : [['content-type', encoded.type] as [string, string]]), ...headers],
        body,
      }
    })
}

function queryOf({ action }: ActionRow): fc.Arbitrary<string[]> {
  const declared = (action.query ?? NONE) as SchemaNode
  const names = Object.keys(declared.properties ?? {})
  const valid = referringValuesOf(declared).map((value) =>
    pairsOf(value, '').map(([name, text]) => `${encodeURIComponent(name)}=${encodeURIComponent(text.toWellFormed())}`),
  )
  const odd = fc.constantFrom(...names, 'auth_token', 'undeclared').chain(anyQuery)
  return fc.tuple(valid, rarely(odd, 3)).map(([pairs, each]) => [...pairs, ...(each === null ? [] : [each])])
}

/** A body in JSON, XML or as a form, with some fields spoilt; a file for an action that takes one. */
function bodyOf({ resource, action }: ActionRow): fc.Arbitrary<Encoded> {
  if (action.upload) return fileOf(action.upload.types)
  if (!action.body)
    return fc.constantFrom({ body: '', type: '' }, { body: '', type: '' }, { body: '{', type: 'application/json' })
  const schema = action.body as SchemaNode
  const roots = [...(action.root ? [action.root] : []), resource.one, resource.many]
  const item = (schema.items ?? schema) as SchemaNode
  const fields = Object.keys(item.properties ?? {})
  const writeXml = xmlWriterOf(schema, resource.one, resource.many)
  const values = referringValuesOf(schema)
  const json = fc
    .record({ value: values, spoiling: spoilings, root: rarely(fc.constantFrom(...roots), 3) })
    .map(({ value, spoiling, root }) => {
      const text = spoilt(schema, value, spoiling)
      return { type: 'application/json', body: root ? `{"${root}":${text}}` : text }
    })
  const xml = fc
    .record({
      value: values,
      odd: rarely(
        fc.constantFrom(...fields, 'undeclared').chain((name) => anyXml(elementName(name))),
        2,
      ),
      type: fc.constantFrom('application/xml', 'text/xml; charset=utf-8'),
    })
    .map(({ value, odd, type }) => {
      const document = writeXml(value)
      const end = document.lastIndexOf('</')
      return { type, body: odd && end > 0 ? document.slice(0, end) + odd + document.slice(end) : document }
    })
  const form = fc
    .record({ value: values, root: rarely(fc.constantFrom(...roots), 2), odd: fc.array(anyText, { maxLength: 2 }) })
    .map(({ value, root, odd }) => ({
      type: 'application/x-www-form-urlencoded',
      body: [new URLSearchParams(pairsOf(value, root ?? '')).toString(), ...odd].join('&'),
    }))
  const any = fc.record({ type: fc.constantFrom('application/json', 'text/plain'), body: anyJson })
  return fc.oneof({ arbitrary: json, weight: 5 }, { arbitrary: xml, weight: 3 }, { arbitrary: form, weight: 2 }, any)
}

function fileOf(types: readonly string[]): fc.Arbitrary<Encoded> {
  const contents = fc.oneof(
    anyText,
    fc
      .array(fc.array(anyText, { maxLength: 4 }), { maxLength: 5 })
      .map((rows) => rows.map((row) => row.join(',')).join('\n')),
    fc.constantFrom('%PDF-1.7', 'email\nada@example.org\n', '\ufeffemail;name\n"a";"', '"', 'email,email\n,,,,\n'),
  )
  return fc.record({ type: fc.constantFrom(...types), body: contents })
}

/** The pairs of a form for a value, as Rails writes them: `guest[first_name]`. */
function pairsOf(value: unknown, name: string): [name: string, value: string][] {
  if (Array.isArray(value)) return value.flatMap((each) => pairsOf(each, `${name}[]`))
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, each]) => pairsOf(each, name === '' ? key : `${name}[${key}]`))
  return [[name, String(value ?? '')]]
}

/** Words of which wild paths are made. */
const SEGMENTS = [
  ...['', '.', '..', '%', '%00', '%2f', '%2e%2e', '%ff', '*', '__proto__', 'x'.repeat(1_025), '🎟', 'é', ';a=b', '//'],
  ...['api', 'v1', 'events', 'guests', 'batch_create', 'me', 'sso', placeholder('slug'), 'oauth', 'token', 'rsvp'],
  ...['partner', 'docs'],
  ...['event_id', 'guest_id', 'id', 'auth_token'].map(placeholder),
]
const wildPath = fc
  .tuple(
    fc.array(fc.oneof({ arbitrary: fc.constantFrom(...SEGMENTS), weight: 4 }, anyText), { maxLength: 7 }),
    fc.constantFrom('', '.json', '.xml', '.JSON', '.'),
    fc.array(anyQuery('auth_token'), { maxLength: 2 }),
  )
  .map(([segments, suffix, query]) => `/${segments.join('/')}${suffix}${query.length > 0 ? `?${query.join('&')}` : ''}`)

/** Requests to a path, or to any, which are made from nothing. */
export function wildRequests(path?: string): fc.Arbitrary<HttpCase> {
  const body = fc.oneof(fc.constant(''), anyText, anyJson)
  return fc
    .record({
      method: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH', 'PROPFIND', 'TRACE'),
      path:
        path === undefined ? wildPath : fc.tuple(fc.constant(path), damages).map(([text, each]) => damaged(text, each)),
      headers: oddHeaders(6),
      body,
    })
    .map((request) => ({ kind: 'http', ...request }))
}

/** Requests to a page, with parameters and forms as it knows them or others. */
export function pageRequests(path: string, fields: readonly string[]): fc.Arbitrary<HttpCase> {
  const pair = fc.tuple(fc.constantFrom(...fields, 'undeclared'), fc.oneof(anyText, fc.constantFrom(...PAGE_VALUES)))
  const pairs = fc
    .array(pair, { maxLength: 5 })
    .map((each) => new URLSearchParams(each.map(([name, text]) => [name, text.toWellFormed()])).toString())
  return fc
    .record({
      method: fc.constantFrom('GET', 'POST'),
      query: pairs,
      form: pairs,
      headers: oddHeaders(3),
      damage: damages,
    })
    .map(({ method, query, form, headers, damage }) => ({
      kind: 'http',
      method,
      path: query === '' ? path : `${path}?${query}`,
      headers: [['content-type', 'application/x-www-form-urlencoded'], ['accept', 'text/html'], ...headers],
      body: method === 'POST' ? damaged(form, damage) : '',
    }))
}

const PAGE_VALUES = [
  ...['code', 'authorization_code', 'refresh_token', 'client_credentials', 'accepted', 'declined', 'S256', 'openid'],
  ...['none', 'https://site.example/callback', 'javascript:alert(1)', '//evil.example', 'gh_x', '{}', '[]', 'null'],
]

/** Uploads of recipients, as a partner's page sends them. */
export function uploads(path: string): fc.Arbitrary<HttpCase> {
  const boundary = fc.constantFrom('x', '', '--', 'x'.repeat(71))
  const file = fc.oneof(
    anyText,
    fc.constantFrom('email\nada@example.org\n', 'email;first_name\n"a@b";"', '\ufffe\0e\0', 'PK\u0003\u0004'),
  )
  const name = fc.constantFrom('file', 'recipients', 'csrf', '__proto__', '"')
  return fc
    .record({
      boundary,
      parts: fc.array(fc.tuple(name, file), { maxLength: 3 }),
      headers: oddHeaders(2),
      damage: damages,
    })
    .map(({ boundary: mark, parts, headers, damage }) => ({
      kind: 'http',
      method: 'POST',
      path,
      headers: [
        ['content-type', `multipart/form-data; boundary=${mark}`],
        ['cookie', `gatehouse_partner=${placeholder('partner_access_token')}`],
        ...headers,
      ],
      body: damaged(
        `${parts.map(([field, text]) => `--${mark}\r\nContent-Disposition: form-data; name="${field}"; filename="a.csv"\r\n\r\n${text}\r\n`).join('')}--${mark}--\r\n`,
        damage,
      ),
    }))
}
