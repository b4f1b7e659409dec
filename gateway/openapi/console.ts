import type { SchemaNode } from '@gatehouse/proto/declaring/fields.ts'
import { type Action, statusOf } from '@gatehouse/proto/declaring/resource.ts'
import { consoleActions, consoleRouteOf } from '@gatehouse/sso/resources'
import { reasonPhrase } from '../http/answers.ts'
import { errorSchemas } from './errors.ts'
import { type OpenApiObject, openApiSchema, type Side } from './schemas.ts'

/** The OpenAPI 3.1 document of what the console's app asks besides the API, for its client. Integrators do not use it: it needs a session. */
export function consoleDocument(): OpenApiObject {
  const paths: Record<string, OpenApiObject> = {}
  for (const [name, action] of Object.entries(consoleActions)) {
    const { method, path } = consoleRouteOf(action)
    const address = path.replace(':id', '{id}')
    paths[address] ??= address === path ? {} : { parameters: [ID] }
    paths[address][method.toLowerCase()] = operation(name, action)
  }
  const { ErrorSentences: _, Problem: __, ...schemas } = errorSchemas
  return {
    openapi: '3.1.1',
    info: {
      title: "Gatehouse's console",
      version: '1',
      description: 'What the app asks besides the API, which it has below `/console` too.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ session: [] }],
    paths,
    components: {
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: '__Host-console', description: '`console` without https' },
      },
      schemas,
    },
  }
}

const ID = { name: 'id', in: 'path', required: true, schema: { type: 'string' } }
const REFUSED = {
  description: 'A refusal',
  content: {
    'application/json': {
      schema: { anyOf: [{ $ref: '#/components/schemas/ApiError' }, { $ref: '#/components/schemas/ValidationErrors' }] },
    },
  },
}

function operation(operationId: string, action: Action): OpenApiObject {
  const status = statusOf(action)
  return {
    operationId,
    summary: action.summary,
    ...(action.body && { requestBody: { required: true, content: jsonOf(action.body as SchemaNode, 'input') } }),
    responses: {
      [status]: {
        description: reasonPhrase(status),
        ...(action.reply && { content: jsonOf(action.reply as SchemaNode, 'output') }),
      },
      default: REFUSED,
    },
  }
}

function jsonOf(schema: SchemaNode, side: Side): OpenApiObject {
  // The names of XML are left out: there is JSON alone.
  const text = JSON.stringify(openApiSchema(schema, side), (key, value) => (key === 'xml' ? undefined : value))
  return { 'application/json': { schema: JSON.parse(text) } }
}
