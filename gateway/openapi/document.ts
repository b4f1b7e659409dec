import { type Resource, routesOf } from '@gatehouse/proto/declaring/resource.ts'
import { DEFAULT_PUBLIC_URL } from '@gatehouse/proto/process/public-url.ts'
import manifest from '../../package.json' with { type: 'json' }
import { guides } from '../docs/guides.ts'
import { liveAction } from '../live/live.ts'
import { errorResponses, errorSchemas, refusals } from './errors.ts'
import { liveExample } from './make-examples.ts'
import { operation, pathParameters, queryParameters, titleOf } from './operations.ts'
import { type OpenApiObject, Schemas } from './schemas.ts'
import { ssoPaths, ssoSecurity } from './sso.ts'
import { ssoSchemas } from './sso-parts.ts'
import { tagGroups, tags } from './tags.ts'
import { webhookParameters, webhookRequests } from './webhooks.ts'

const ABOUT = `Events, their guests and what happens at the doors: guest lists, check-ins, signatures, discount codes, partners,
exhibitors and their leads, badges, webhooks and single sign-on, in JSON and XML. The guides come first, then every operation with examples.`

const ABOUT_LIVE = `For tokens of the scope \`admin\`, \`read\`. Also at \`/api/v1/{event_id}/live\`. Server-Sent Events: \`event\` is the type (\`check_in.created\`,
\`guest.updated\`, …), \`data\` the JSON which webhooks get. Only what is stored is sent: once, after an outage perhaps twice, and not always in the
order in which it happened. A client which reconnects with its last \`id\` misses nothing of the last day; \`event: reset\` says that messages may be missing. With
\`statistics=true\`, \`event: statistics\` brings the statistics of the event, at the beginning and after changes: at most once a second, and some
three seconds late after changes that are not sent. A client that does not read is disconnected; a revoked token ends its feeds.`

/** The OpenAPI 3.1 document of all actions with a route. The same declarations always give the same document. */
export function openApiDocument(resources: readonly Resource[]): OpenApiObject {
  const schemas = new Schemas()
  const paths: Record<string, OpenApiObject> = {}
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
  const webhooks = webhookRequests(schemas)
  return {
    openapi: '3.1.1',
    info: {
      title: 'Gatehouse',
      version: manifest.version,
      description: [ABOUT, ...guides()].join('\n\n'),
      contact: { name: 'Gatehouse', url: `${DEFAULT_PUBLIC_URL}/docs` },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: DEFAULT_PUBLIC_URL, description: 'The gateway that serves this document' }],
    security: [{ bearer: [] }, { auth_token: [] }],
    tags: tags(resources),
    'x-tagGroups': tagGroups(resources),
    paths,
    webhooks,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An API token' },
        auth_token: { type: 'apiKey', in: 'query', name: 'auth_token', description: 'The same API token in the URL' },
        ...ssoSecurity,
      },
      parameters: { ...parameters, ...webhookParameters },
      headers,
      responses: errorResponses(),
      schemas: { ...schemas.all(), ...errorSchemas, ...ssoSchemas },
    },
  }
}

/** `/api/v1/events/:event_id` → `/api/v1/events/{event_id}.{format}`. */
function pathTemplate(path: string): string {
  return `${path.replaceAll(/:(\w+)/g, '{$1}')}.{format}`
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
    description: 'A repeated key gets its first answer, with `Idempotent-Replayed: true`; another body is refused',
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
  rate_limits: {
    description:
      'The limit that was exceeded, by draft-ietf-httpapi-ratelimit-headers-10: what remains and the seconds until it starts again',
    schema: { type: 'string', examples: ['"token";r=0;t=42'] },
  },
  rate_limit_policy: {
    description: 'Its maximum and its seconds',
    schema: { type: 'string', examples: ['"token";q=60000;w=60'] },
  },
  rate_limit: { description: 'The limit that was exceeded', schema: { type: 'integer' } },
  rate_limit_remaining: { description: 'Requests or bytes that remain of it', schema: { type: 'integer' } },
  rate_limit_reset: { description: 'Seconds until it starts again', schema: { type: 'integer' } },
  location: { description: 'The URL of the file', schema: { type: 'string', format: 'uri' } },
  replayed: { description: '`true` if this is an earlier answer', schema: { type: 'string', enum: ['true'] } },
}

/** The live feed, which is no resource: the gateway answers it with events instead of an object. */
function livePath(): OpenApiObject {
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
          description: 'Continue after this id, which is valid for a day',
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
