import { kindOf, type SchemaNode } from '@gatehouse/proto/declaring/fields.ts'
import {
  type Action,
  formatsOf,
  isQuiet,
  maxBytesOf,
  type Resource,
  routesOf,
  scopes,
  statusOf,
} from '@gatehouse/proto/declaring/resource.ts'
import type { TSchema } from 'typebox'
import { mayCall } from '../admission.ts'
import { reasonPhrase } from '../answers.ts'
import { sizeText } from '../bodies.ts'
import { guides } from '../docs/guides.ts'
import { liveAction } from '../live.ts'
import { errorResponses, errorSchemas, refusals } from './errors.ts'
import { exampleOf, fileExamples, knownExample, liveExample, xmlExample } from './examples.ts'
import { type Json, openApiSchema, type Side, withXmlName } from './schemas.ts'
import { SSO_TAG, ssoPaths, ssoSecurity } from './sso.ts'

const ABOUT = `Events, their guests and what happens at the doors: guest lists, check-ins, signatures, discount codes, partners,
exhibitors and their leads, badges, webhooks and single sign-on, in JSON and XML. The guides come first, then every operation with examples.`

/** How the resources of a service are called together. */
const groups: Record<string, string> = {
  guests: 'Events and guests',
  checkin: 'At the doors',
  promo: 'Discount codes',
  partners: 'Partners',
  leads: 'Exhibitors and leads',
  badges: 'Badges and files',
  hooks: 'Webhooks',
  sso: 'Account and single sign-on',
}

/** What is to be known of all operations of a tag. */
const abouts: Record<string, string> = {
  guests:
    'A blank `uid` on creation has one made; on update it is refused. Lists are replaced by an update, not merged.',
  'access controls':
    'Check-ins. A refusal is a stored check-in too, answered 201: look at `access_status`. See the guide about batches and retries for devices that were offline.',
  partners:
    'A partner is addressed by its `_id` or its `uid`, also as `partner_id`. Deleting a partner or a campaign disables its discount codes, whose texts stay taken until the codes are deleted; until all of it is done the answer is 503, and the same request may be sent again.',
  [SSO_TAG]:
    'For browsers and sites, not for API tokens: see the guide. Contacts and apps are managed under contacts and oauth apps.',
}

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
      paths[main] ??= { parameters: pathParameters(main, resource.one) }
      paths[main][routes.method.toLowerCase()] = operation(resource, name, action, others, schemas)
    }
  }
  paths['/api/v1/events/{event_id}/live'] = livePath()
  Object.assign(paths, ssoPaths())
  return {
    openapi: '3.1.1',
    info: {
      title: 'Gatehouse',
      version: '1',
      description: [ABOUT, ...guides()].join('\n\n'),
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ auth_token: [] }, { bearer: [] }],
    tags: [...resources.filter(hasRoutes).map(tagOf), SSO_TAG].map((name) => ({
      name,
      ...(abouts[name] && { description: abouts[name] }),
    })),
    'x-tagGroups': tagGroups(resources.filter(hasRoutes)),
    paths,
    components: {
      securitySchemes: {
        auth_token: { type: 'apiKey', in: 'query', name: 'auth_token', description: 'An API token' },
        bearer: { type: 'http', scheme: 'bearer', description: 'The same API token as a header' },
        ...ssoSecurity,
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

/** The tags of each service together, as viewers group them. */
function tagGroups(resources: readonly Resource[]): Json[] {
  const services = Object.entries(Object.groupBy(resources, ({ service }) => service))
  return services.map(([service, own = []]) => ({
    name: groups[service] ?? service,
    tags: [...own.map(tagOf), ...(service === 'sso' ? [SSO_TAG] : [])],
  }))
}

function tagOf({ many }: Resource): string {
  return many.replaceAll('_', ' ')
}

/** `/api/v1/events/:event_id` → `/api/v1/events/{event_id}.{format}`. */
function pathTemplate(path: string): string {
  return `${path.replaceAll(/:(\w+)/g, '{$1}')}.{format}`
}

function pathParameters(path: string, owner: string): Json[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) =>
    name === 'format'
      ? { $ref: '#/components/parameters/format' }
      : { name, in: 'path', required: true, schema: { type: 'string' }, example: knownExample(name, owner) },
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
  rate_limit: { description: 'The limit which was exceeded', schema: { type: 'integer' } },
  rate_limit_remaining: { description: 'What is left of it', schema: { type: 'integer' } },
  rate_limit_reset: { description: 'Seconds until it begins anew', schema: { type: 'integer' } },
  location: { description: 'Where the file is', schema: { type: 'string', format: 'uri' } },
  replayed: { description: '`true` when an earlier answer is given again', schema: { type: 'string', enum: ['true'] } },
}

function operation(resource: Resource, name: string, action: Action, others: string[], schemas: Schemas): Json {
  const method = routesOf(action)?.method
  return {
    operationId: `${resource.many}_${name}`,
    tags: [tagOf(resource)],
    ...(action.summary && { summary: titleOf(action.summary) }),
    ...(action.secret && { security: [] }),
    description: describe(resource, action, others),
    parameters: [
      ...formatParameter(action),
      ...queryParameters(action.query, resource.one),
      ...(method === 'POST' ? [{ $ref: '#/components/parameters/idempotency_key' }] : []),
      ...(isQuiet(action) ? [{ $ref: '#/components/parameters/prefer' }] : []),
    ],
    ...(action.body && { requestBody: requestBody(resource, name, action, action.body, schemas) }),
    ...(action.upload && { requestBody: fileBody(resource, action.upload) }),
    responses: { ...successes(resource, name, action, schemas), ...refusals(action) },
  }
}

/** The live feed, which is no resource: the gateway answers it, with events instead of an object. */
function livePath(): Json {
  const { 406: _, ...refused } = refusals(liveAction)
  return {
    parameters: pathParameters('/events/{event_id}', 'event'),
    get: {
      operationId: 'events_live',
      tags: ['events'],
      summary: titleOf(liveAction.summary),
      description: ABOUT_LIVE,
      parameters: [
        ...queryParameters(liveAction.query, 'event'),
        {
          name: 'Last-Event-ID',
          in: 'header',
          description: 'Go on behind this id; it is good for a day',
          schema: { type: 'string' },
        },
      ],
      responses: {
        200: {
          description: 'The feed',
          content: { 'text/event-stream': { schema: { type: 'string' }, example: liveExample() } },
        },
        ...refused,
      },
    },
  }
}

/** The part of a summary that names the operation, for lists of them. */
function titleOf(summary: string): string {
  return summary.split(/[;:.] /, 1)[0] ?? summary
}

function describe(resource: Resource, action: Action, others: string[]): string {
  const allowed = scopes.filter((scope) => mayCall({ scope }, action))
  const { summary = '' } = action
  const sentences = [
    ...(titleOf(summary) === summary ? [] : [`${summary}.\n\n`]),
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

function queryParameters(query: Action['query'], owner: string): Json[] {
  return Object.entries((query?.properties ?? {}) as Record<string, SchemaNode>).map(([name, field]) => {
    const { description, xml: _, ...schema } = openApiSchema(field, 'input')
    const required = query?.required?.includes(name) && field.default === undefined
    return {
      name: kindOf(field) === 'array' ? `${name}[]` : name,
      in: 'query',
      ...(required && { required }),
      ...(description !== undefined && { description }),
      schema: schema.items ? { ...schema, items: withoutXml(schema.items as Json) } : schema,
      ...(name === 'access_token' && { example: knownExample(name, owner) }),
    }
  })
}

function withoutXml({ xml: _, ...schema }: Json): Json {
  return schema
}

function requestBody(resource: Resource, name: string, action: Action, body: TSchema, schemas: Schemas): Json {
  const schema = schemas.use(body as SchemaNode, resource, `${pascal(resource.one)}${pascal(name)}`, 'input')
  const example = exampleOf(body as SchemaNode, 'input', resource.one)
  return {
    description: `At most ${sizeText(maxBytesOf(action))}`,
    required: action.status !== 204,
    content: bothFormats(schema, body, resource, example),
  }
}

function fileBody({ many }: Resource, { types, maxBytes }: NonNullable<Action['upload']>): Json {
  return {
    description: `At most ${sizeText(maxBytes)}`,
    required: true,
    content: Object.fromEntries(types.map((type) => [type, file(many, type)])),
  }
}

/** A file as a body. Pictures and the like have no example. */
function file(many: string, type: string): Json {
  const example = type.startsWith('text/csv') ? fileExamples[many] : undefined
  return { schema: { type: 'string', format: 'binary' }, ...(example !== undefined && { example }) }
}

function bothFormats(
  schema: Json,
  declared: TSchema,
  { one, many }: Pick<Resource, 'one' | 'many'>,
  example: unknown,
): Json {
  return {
    'application/json': { schema, example },
    'application/xml': { schema, example: xmlExample(declared as SchemaNode, one, many, example) },
  }
}

function successes(resource: Resource, name: string, action: Action, schemas: Schemas): Json {
  const status = statusOf(action)
  if (status === 302) {
    return {
      302: { description: reasonPhrase(status), headers: { Location: { $ref: '#/components/headers/location' } } },
    }
  }
  const { reply } = action
  const named = { ...resource, one: action.replyName ?? resource.one }
  const schema = reply && schemas.use(reply as SchemaNode, named, pascal(named.one), 'output', `${pascal(name)}Reply`)
  const example = reply && exampleOf(reply as SchemaNode, 'output', named.one)
  const files = Object.values(action.produces ?? {}).map((type) => [type, file(resource.many, type)])
  const content =
    schema || files.length > 0
      ? { content: { ...(schema && bothFormats(schema, reply, named, example)), ...Object.fromEntries(files) } }
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
  const [field = ''] = (action.body as SchemaNode).items?.required ?? []
  const refused = [...(example as object[]), { errors: { [field]: ["can't be blank"] } }]
  return {
    ...answer,
    422: {
      description: 'At least one item was refused; each is answered in its place, and the good ones are kept',
      content: bothFormats({ ...schema, items }, reply, named, refused),
    },
  }
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
    if (!known && this.#schemas.has(free)) throw new Error(`Two objects of the API document are called ${free}`)
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
