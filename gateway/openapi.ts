import { Fault, type FaultCode, faultStatuses } from '@gatehouse/proto/faults.ts'
import { kindOf, type SchemaNode } from '@gatehouse/proto/fields.ts'
import {
  type Action,
  formatsOf,
  isQuiet,
  type Resource,
  routesOf,
  scopes,
  statusOf,
} from '@gatehouse/proto/resource.ts'
import type { TSchema } from 'typebox'
import { reasonPhrase } from './answers.ts'
import { mayCall } from './auth.ts'
import { liveAction } from './live.ts'
import { type Json, openApiSchema, type Side, withXmlName } from './openapi-schemas.ts'

const ABOUT = `Events, their guests and what happens at the doors.

**Formats.** Each path ends in \`.json\` or \`.xml\`, which picks the format of the request and of the answer. An XML element is named
as the field with hyphens for underscores (\`access_stamp\` is \`access-stamp\`); a list has \`type="array"\`, other typed values \`type="integer"\`,
\`"boolean"\`, \`"float"\` or \`"datetime"\`, and null is an empty element with \`nil="true"\`. \`application/x-www-form-urlencoded\` with
\`root[field]=…\` is accepted as well. Times are ISO 8601; they go out in UTC with milliseconds.

**Paths.** \`/api/v1/events/{event_id}/…\` may be written \`/api/v1/{event_id}/…\` too.

**Bodies** may be flat or wrapped in their root key. Unknown fields are ignored. Numbers and booleans may be sent as strings.

**Pages** begin at 1 and end with an empty array; \`per_page\` is 1 to 500.

**Check-ins.** No guest with this uid: 1. No right at this point: 2. Allowance used up: 3. Else 0. The right comes from the link of the guest's
category or from the guest's own privilege (once, or without limit); where both exist the more generous one counts, and only granted
check-ins use it. A refusal is a stored check-in too, answered 201. Deleting a granted check-in gives the access back; deleting a guest
keeps its check-ins.

**Batches** answer in the order sent: 201 when all items are in, else 422 with \`{"errors": {…}}\` in place of those that are not. An item with its own
\`access_stamp\` is the same scan whenever the same token sends it again. At most 10,000 items and 10 MiB.

**Retries.** A POST with an \`Idempotency-Key\` is done once, and answered the same, with \`Idempotent-Replayed: true\`, when it is sent again within a day;
with another body it is 422, while the first one runs 409.

**Tokens.** \`admin\` may do all, \`read\` what only reads, \`door\` scans, signs and looks up. A token bound to an event touches no other, and makes none.

**Categories** may be sent with their links (\`guest_category_accesspoints\`, each an \`accesspoint_id\` and \`max_allowed_accesses\`): all are stored or nothing is.
On an update they replace the links that the category has; left out, these stay.

**Events** are searched by \`search\`: each word must begin a word of the title or the organizer, whatever its case, accents and signs.

**Guests.** A guest needs one of \`last_name\`, \`email\`, \`company_name\` and \`uid\`. An \`email\` has the shape that browsers ask for in \`<input type="email">\`;
one that was stored before stays until it is changed. A blank \`uid\` on creation has one made; on update it is 422. \`guest_metadata\` may be a list of name and value or an object, 64 KiB in
all; lists are replaced by an update, not merged. A page of signatures holds 10 MiB of drawings; later items come without \`points\`.

**Partners** are addressed by their \`_id\` or their \`uid\`, also as \`partner_id\`. Names are unique as they are written, blanks around them aside. Deleting a
campaign, or its partner, disables its discount code, whose text stays taken until the code is deleted; until all of it is done the answer is 503, and the
same request may be sent again.

**Exhibitors** identify themselves by their access token in the path or the query, and their paths work without \`/api/v1\` too. A guest is one lead of an
exhibitor: sent again, the first comes back unchanged, with the comments that it had. With \`network_enabled\` off no leads are created (403); guests can still be read, of which only
the event's \`lead_guest_fields\` are shown. An organizer gets leads as JSON, XML or CSV, all at once or by the page.

**Webhooks** get a POST of \`{"type", "timestamp", "event_id", "data"}\` for each thing that happens, \`data\` being what the API shows of it, signed as
Standard Webhooks says (\`webhook-id\`, \`webhook-timestamp\`, \`webhook-signature\`) with the account's secret. 2xx takes it; everything else, redirects too, is
tried again for a day, and 410 disables the webhook. A thing may come twice, with the same \`webhook-id\`, and not in order. An event's
\`badge_complete_hook_url\` gets the guest itself, with \`_type: "Guest"\`, in the same way. Only public addresses are reached.

**Errors** are \`{"error": "sentence"}\`, or \`{"errors": {"field": ["can't be blank"]}}\` where fields are to blame: every field that is wrong; in XML
\`<errors><error>Field can't be blank</error></errors>\`; and RFC 9457 where \`Accept\` names \`application/problem+json\`.`

const ABOUT_LIVE = `For tokens of the scope \`admin\`, \`read\`. Also at \`/api/v1/{event_id}/live\`. Server-Sent Events: \`event\` is what happened
(\`check_in.created\`, \`guest.updated\`, …), \`data\` the JSON that webhooks get. What is told is stored; each thing is told once, after an
outage perhaps twice, and not always in the order in which it happened. A client that comes again with the last \`id\` misses nothing of the last day;
\`event: reset\` says that something between may be missing. With \`statistics=true\`, \`event: statistics\` brings what the event adds up to, at the
beginning and when that has changed: at most once a second, and some three seconds late where nothing of the above has happened. A client that does not
read is cut off; a revoked token ends its feeds.`

/** The OpenAPI 3.1 document of everything that has a route. The same declarations always give the same document. */
export function openApiDocument(resources: readonly Resource[]): Json {
  const schemas = new Schemas()
  const paths: Record<string, Json> = {}
  for (const resource of resources) {
    for (const [name, action] of Object.entries(resource.actions)) {
      const routes = routesOf(action)
      if (!routes) continue
      const [main = '', ...others] = routes.paths.map(pathTemplate)
      paths[main] ??= { parameters: pathParameters(main) }
      paths[main][routes.method.toLowerCase()] = operation(resource, name, action, others, schemas)
    }
  }
  paths['/api/v1/events/{event_id}/live'] = livePath()
  return {
    openapi: '3.1.1',
    info: {
      title: 'Gatehouse',
      version: '1',
      description: ABOUT,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ auth_token: [] }, { bearer: [] }],
    tags: resources.filter(hasRoutes).map((resource) => ({ name: tagOf(resource) })),
    paths,
    components: {
      securitySchemes: {
        auth_token: { type: 'apiKey', in: 'query', name: 'auth_token', description: 'An API token' },
        bearer: { type: 'http', scheme: 'bearer', description: 'The same API token as a header' },
      },
      parameters,
      headers,
      responses: errorResponses(),
      schemas: { ...schemas.all(), ...errorSchemas },
    },
  }
}

function hasRoutes(resource: Resource): boolean {
  return Object.values(resource.actions).some(({ route }) => route)
}

function tagOf({ many }: Resource): string {
  return many.replaceAll('_', ' ')
}

/** `/api/v1/events/:event_id` → `/api/v1/events/{event_id}.{format}`. */
function pathTemplate(path: string): string {
  return `${path.replaceAll(/:(\w+)/g, '{$1}')}.{format}`
}

function pathParameters(path: string): Json[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) =>
    name === 'format'
      ? { $ref: '#/components/parameters/format' }
      : { name, in: 'path', required: true, schema: { type: 'string' } },
  )
}

/** The suffixes of an action that has others than its path says. */
function formatParameter(action: Action): Json[] {
  if (!action.produces) return []
  return [{ name: 'format', in: 'path', required: true, schema: { type: 'string', enum: formatsOf(action) } }]
}

const parameters = {
  format: {
    name: 'format',
    in: 'path',
    required: true,
    description: 'The format of the request and of the answer',
    schema: { type: 'string', enum: ['json', 'xml'] },
  },
  idempotency_key: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'The first answer to this key is given again, with `Idempotent-Replayed: true`; another body is refused',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  prefer: {
    name: 'Prefer',
    in: 'header',
    description: '`return=representation` answers 200 with the object instead of nothing',
    schema: { type: 'string' },
  },
}

const headers = {
  retry_after: { description: 'Seconds after which to try again', schema: { type: 'integer' } },
  replayed: { description: '`true` when an earlier answer is given again', schema: { type: 'string', enum: ['true'] } },
}

function operation(resource: Resource, name: string, action: Action, others: string[], schemas: Schemas): Json {
  const method = routesOf(action)?.method
  return {
    operationId: `${resource.many}_${name}`,
    tags: [tagOf(resource)],
    ...(action.summary && { summary: action.summary }),
    ...(action.secret && { security: [] }),
    description: describe(resource, action, others),
    parameters: [
      ...formatParameter(action),
      ...queryParameters(action.query),
      ...(method === 'POST' ? [{ $ref: '#/components/parameters/idempotency_key' }] : []),
      ...(isQuiet(action) ? [{ $ref: '#/components/parameters/prefer' }] : []),
    ],
    ...(action.body && { requestBody: requestBody(resource, name, action, action.body, schemas) }),
    ...(action.upload && { requestBody: fileBody(action.upload) }),
    responses: { ...successes(resource, name, action, schemas), ...refusals(action) },
  }
}

/** The live feed, which is no resource: the gateway answers it, with events instead of an object. */
function livePath(): Json {
  const { 406: _, ...refused } = refusals(liveAction)
  return {
    parameters: pathParameters('/events/{event_id}'),
    get: {
      operationId: 'events_live',
      tags: ['events'],
      summary: liveAction.summary,
      description: ABOUT_LIVE,
      parameters: [
        ...queryParameters(liveAction.query),
        {
          name: 'Last-Event-ID',
          in: 'header',
          description: 'Go on behind this id; it is good for a day',
          schema: { type: 'string' },
        },
      ],
      responses: {
        200: { description: 'The feed', content: { 'text/event-stream': { schema: { type: 'string' } } } },
        ...refused,
      },
    },
  }
}

function describe(resource: Resource, action: Action, others: string[]): string {
  const allowed = scopes.filter((scope) => mayCall({ scope }, action))
  const sentences = [
    action.secret
      ? `Takes no \`auth_token\`: \`${action.secret}\` tells who asks.`
      : `For tokens of the scope ${allowed.map((scope) => `\`${scope}\``).join(', ')}.`,
  ]
  if (action.body) {
    sentences.push(`The body may be wrapped in \`${action.root ?? rootOf(resource, action.body)}\`.`)
  }
  if (others.length > 0) sentences.push(`Also at ${others.map((path) => `\`${path}\``).join(', ')}.`)
  return sentences.join(' ')
}

function rootOf(resource: Resource, body: TSchema): string {
  return kindOf(body as SchemaNode) === 'array' ? resource.many : resource.one
}

function queryParameters(query: Action['query']): Json[] {
  return Object.entries((query?.properties ?? {}) as Record<string, SchemaNode>).map(([name, field]) => {
    const { description, xml: _, ...schema } = openApiSchema(field, 'input')
    const required = query?.required?.includes(name) && field.default === undefined
    return {
      name: kindOf(field) === 'array' ? `${name}[]` : name,
      in: 'query',
      ...(required && { required }),
      ...(description !== undefined && { description }),
      schema: schema.items ? { ...schema, items: withoutXml(schema.items as Json) } : schema,
    }
  })
}

function withoutXml({ xml: _, ...schema }: Json): Json {
  return schema
}

function requestBody(resource: Resource, name: string, action: Action, body: TSchema, schemas: Schemas): Json {
  const schema = schemas.use(body as SchemaNode, resource, `${pascal(resource.one)}${pascal(name)}`, 'input')
  return { required: action.status !== 204, content: bothFormats(schema) }
}

function fileBody({ types, maxBytes }: NonNullable<Action['upload']>): Json {
  const schema = { type: 'string', format: 'binary', maxLength: maxBytes }
  return { required: true, content: Object.fromEntries(types.map((type) => [type, { schema }])) }
}

function bothFormats(schema: Json): Json {
  return { 'application/json': { schema }, 'application/xml': { schema } }
}

function successes(resource: Resource, name: string, action: Action, schemas: Schemas): Json {
  const status = statusOf(action)
  const schema = action.reply && replySchema(resource, name, action, action.reply, schemas)
  const files = Object.values(action.produces ?? {}).map((type) => [
    type,
    { schema: { type: 'string', format: 'binary' } },
  ])
  const content =
    schema || files.length > 0
      ? { content: { ...(schema && bothFormats(schema)), ...Object.fromEntries(files) } }
      : undefined
  if (action.quiet)
    return { [status]: { description: 'Done; the object with `Prefer: return=representation`', ...content } }
  if (status === 204) {
    return {
      ...(content && { 200: { description: 'Done; with `Prefer: return=representation`', ...content } }),
      204: { description: 'Done' },
    }
  }
  const replay = action.route?.startsWith('POST ')
    ? { headers: { 'Idempotent-Replayed': { $ref: '#/components/headers/replayed' } } }
    : {}
  const answer = { [status]: { description: reasonPhrase(status), ...replay, ...content } }
  if (!action.batch || !schema) return answer
  const items = { anyOf: [schema.items, { $ref: '#/components/schemas/ValidationErrors' }] }
  return {
    ...answer,
    422: {
      description: 'At least one item was refused; each is answered in its place, and the good ones are kept',
      content: bothFormats({ ...schema, items }),
    },
  }
}

function replySchema(resource: Resource, name: string, action: Action, reply: TSchema, schemas: Schemas): Json {
  const named = { ...resource, one: action.replyName ?? resource.one }
  return schemas.use(reply as SchemaNode, named, pascal(named.one), 'output', pascal(name))
}

/** What an action may be refused with, besides its own answers. */
function refusals(action: Action): Json {
  const post = action.route?.startsWith('POST ') ?? false
  const applies: Record<FaultCode, boolean> = {
    malformed: action.body !== undefined,
    unauthorized: action.secret !== undefined,
    forbidden: action.secret === undefined,
    not_found: action.route?.includes(':') ?? false,
    not_acceptable: true,
    conflict: post || (action.route?.startsWith('DELETE ') ?? false),
    too_large: action.body !== undefined || action.upload !== undefined,
    unsupported: action.body !== undefined || action.upload !== undefined,
    // The body of a refused batch is told with its answers.
    invalid:
      !action.batch && (post || action.body !== undefined || action.upload !== undefined || action.query !== undefined),
    too_many: true,
    unavailable: true,
  }
  return Object.fromEntries(
    (Object.keys(applies) as FaultCode[])
      .filter((code) => applies[code])
      .map((code) => [faultStatuses[code], { $ref: `#/components/responses/${code}` }]),
  )
}

const errorSchemas = {
  Error: { type: 'object', properties: { error: { type: 'string' } }, required: ['error'] },
  ValidationErrors: {
    type: 'object',
    description: 'What is wrong with each field',
    properties: { errors: { $ref: '#/components/schemas/FieldErrors' } },
    required: ['errors'],
  },
  FieldErrors: { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } },
  ErrorSentences: {
    type: 'array',
    items: { type: 'string', xml: { name: 'error' } },
    xml: { name: 'errors', wrapped: true },
  },
  Problem: {
    type: 'object',
    description: 'RFC 9457',
    properties: {
      type: { type: 'string' },
      title: { type: 'string' },
      status: { type: 'integer' },
      detail: { type: 'string' },
      errors: { $ref: '#/components/schemas/FieldErrors' },
    },
    required: ['type', 'title', 'status', 'detail'],
  },
}

function errorResponses(): Json {
  const ref = (name: string): Json => ({ schema: { $ref: `#/components/schemas/${name}` } })
  return Object.fromEntries(
    (Object.keys(faultStatuses) as FaultCode[]).map((code) => [
      code,
      {
        description: new Fault(code).message,
        ...((code === 'too_many' || code === 'unavailable') && {
          headers: { 'Retry-After': { $ref: '#/components/headers/retry_after' } },
        }),
        content: {
          'application/json': ref(code === 'invalid' ? 'ValidationErrors' : 'Error'),
          'application/xml': ref('ErrorSentences'),
          'application/problem+json': ref('Problem'),
        },
      },
    ]),
  )
}

/** The objects of the document, each told once under a name. */
class Schemas {
  readonly #names = new Map<string, string>()
  readonly #schemas = new Map<string, Json>()

  /** A reference to an object or a list of it. `other` is added to the name where another object has it already. */
  use(schema: SchemaNode, resource: Resource, name: string, side: Side, other = ''): Json {
    if (kindOf(schema) === 'array') {
      const { items, maxItems, ...rest } = openApiSchema(schema, side)
      const item = this.#reference(withXmlName(items as Json, resource.one), name, other)
      return withXmlName({ ...rest, ...(maxItems !== undefined && { maxItems }), items: item }, resource.many)
    }
    return this.#reference({ ...openApiSchema(schema, side), xml: { name: xmlName(resource) } }, name, other)
  }

  all(): Json {
    return Object.fromEntries([...this.#schemas].sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  #reference(schema: Json, name: string, other: string): Json {
    const text = JSON.stringify(schema)
    const known = this.#names.get(text)
    const free = known ?? (this.#schemas.has(name) ? name + other : name)
    this.#names.set(text, free)
    this.#schemas.set(free, schema)
    return { $ref: `#/components/schemas/${free}` }
  }
}

function xmlName({ one }: Resource): string {
  return one.replaceAll('_', '-')
}

function pascal(name: string): string {
  return name.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())
}
