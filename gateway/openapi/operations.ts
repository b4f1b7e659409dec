import { kindOf, type SchemaNode } from '@gatehouse/proto/declaring/fields.ts'
import {
  type Action,
  formatsOf,
  isQuiet,
  leastRoleOf,
  maxBytesOf,
  type Resource,
  type Role,
  routesOf,
  scopes,
  statusOf,
} from '@gatehouse/proto/declaring/resource.ts'
import type { TSchema } from 'typebox'
import { mayCall } from '../admission/admission.ts'
import { sizeText } from '../forwarding/bodies.ts'
import { reasonPhrase } from '../http/answers.ts'
import { takesBearer } from '../http/request.ts'
import { knownDescription } from './descriptions.ts'
import { refusals } from './errors.ts'
import { fileExamples } from './examples.ts'
import { exampleOf, knownExample, xmlExample } from './make-examples.ts'
import { described, type OpenApiObject, openApiSchema, type Schemas } from './schemas.ts'
import { tagOf } from './tags.ts'

/** An action as an operation of the API document. `others` are its paths besides the first; `schemas` gets its schemas. */
export function operation(
  resource: Resource,
  name: string,
  action: Action,
  others: string[],
  schemas: Schemas,
): OpenApiObject {
  const method = routesOf(action)?.method
  return {
    operationId: `${resource.many}_${name}`,
    tags: [tagOf(resource)],
    ...(action.summary && { summary: titleOf(action.summary) }),
    ...(action.secret ? { security: [] } : leastRoles(action)),
    description: describe(resource, action, others),
    parameters: [
      formatParameter(action),
      ...queryParameters(action.query, resource.one),
      ...(method === 'POST' ? [{ $ref: '#/components/parameters/idempotency_key' }] : []),
      ...(isQuiet(action) ? [{ $ref: '#/components/parameters/prefer' }] : []),
    ],
    ...(action.body && { requestBody: requestBody(resource, name, action, action.body, schemas) }),
    ...(action.upload && { requestBody: fileBody(resource, action.upload) }),
    responses: { ...successes(resource, name, action, schemas), ...refusals(action) },
  }
}

/** The least role of staff members for an action, and for those of its suffixes that need another. */
function leastRoles(action: Action): OpenApiObject {
  const role = leastRoleOf(action, 'json')
  const others = otherRoles(action)
  return { 'x-least-role': role, ...(others.length > 0 && { 'x-least-role-of-suffix': Object.fromEntries(others) }) }
}

/** The suffixes of an action that need another role than JSON, with that role. */
function otherRoles(action: Action): [suffix: string, role: Role][] {
  const roles = formatsOf(action).map((suffix): [string, Role] => [suffix, leastRoleOf(action, suffix)])
  return roles.filter(([, role]) => role !== leastRoleOf(action, 'json'))
}

/** The suffix of an action's path. */
function formatParameter(action: Action): OpenApiObject {
  if (!action.produces) return { $ref: '#/components/parameters/format' }
  return {
    name: 'format',
    in: 'path',
    required: true,
    description: 'The format of the answer',
    schema: { type: 'string', enum: formatsOf(action) },
  }
}

/** The part of a summary that names the operation. */
export function titleOf(summary: string): string {
  return summary.split(/[;:.] /, 1)[0] ?? summary
}

function describe(resource: Resource, action: Action, others: string[]): string {
  const allowed = scopes.filter((scope) => mayCall({ scope }, action))
  const { summary = '' } = action
  const sentences = [
    ...(titleOf(summary) === summary ? [] : [`${summary}.\n\n`]),
    action.secret
      ? `Takes no \`auth_token\`: \`${action.secret}\` identifies the caller${takesBearer(action) ? ', or is sent as `Authorization: Bearer` to the path without it' : ''}.`
      : `For tokens of the scope ${allowed.map((scope) => `\`${scope}\``).join(', ')}.`,
  ]
  if (!action.secret)
    for (const [suffix, role] of otherRoles(action))
      sentences.push(`As \`.${suffix}\` it is an export, which staff members need the role \`${role}\` for.`)
  if (action.body) {
    sentences.push(`The body may be wrapped in \`${action.root ?? rootOf(resource, action.body)}\`.`)
  }
  if (others.length > 0) sentences.push(`Also at ${others.map((path) => `\`${path}\``).join(', ')}.`)
  return sentences.join(' ')
}

function rootOf(resource: Resource, body: TSchema): string {
  return kindOf(body as SchemaNode) === 'array' ? resource.many : resource.one
}

/** The query parameters of an action. `owner` names the resource, for examples. */
export function queryParameters(query: Action['query'], owner: string): OpenApiObject[] {
  return Object.entries((query?.properties ?? {}) as Record<string, SchemaNode>).map(([name, field]) => {
    const { description, xml: _, ...schema } = openApiSchema(described(field, name, owner), 'input')
    const required = query?.required?.includes(name) && field.default === undefined
    return {
      name: kindOf(field) === 'array' ? `${name}[]` : name,
      in: 'query',
      ...(required && { required }),
      ...(description !== undefined && { description }),
      schema: schema.items ? { ...schema, items: withoutXml(schema.items as OpenApiObject) } : schema,
      ...(name === 'access_token' && { example: knownExample(name, owner) }),
    }
  })
}

function withoutXml({ xml: _, ...schema }: OpenApiObject): OpenApiObject {
  return schema
}

function requestBody(resource: Resource, name: string, action: Action, body: TSchema, schemas: Schemas): OpenApiObject {
  const schema = schemas.use(body as SchemaNode, resource, `${pascal(resource.one)}${pascal(name)}`, 'input')
  const example = exampleOf(body as SchemaNode, 'input', resource.one)
  return {
    description: `At most ${sizeText(maxBytesOf(action))}`,
    required: action.status !== 204,
    content: bothFormats(schema, body, resource, example),
  }
}

function fileBody({ many }: Resource, { types, maxBytes }: NonNullable<Action['upload']>): OpenApiObject {
  return {
    description: `At most ${sizeText(maxBytes)}`,
    required: true,
    content: Object.fromEntries(types.map((type) => [type, file(many, type)])),
  }
}

/** A file as a body. Only text has examples. */
function file(many: string, type: string): OpenApiObject {
  const isText = /^(text\/|application\/json)/.test(type)
  const text = isText ? fileExamples[many] : undefined
  const example = text !== undefined && type.startsWith(JSON_TYPE) ? JSON.parse(text) : text
  const schema = type.startsWith(JSON_TYPE)
    ? { type: 'object', additionalProperties: true }
    : { type: 'string', ...(!isText && { format: 'binary' }) }
  return { schema, ...(example !== undefined && { example }) }
}

const JSON_TYPE = 'application/json'
const XML_TYPE = 'application/xml'

function bothFormats(
  schema: OpenApiObject,
  declared: TSchema,
  { one, many }: Pick<Resource, 'one' | 'many'>,
  example: unknown,
): OpenApiObject {
  return {
    [JSON_TYPE]: { schema, example },
    // To OpenAPI the text of XML is a string, with what it contains beside it: a generator would look for an object in a schema of one.
    [XML_TYPE]: {
      schema: { type: 'string', contentMediaType: XML_TYPE, contentSchema: schema },
      example: xmlExample(declared as SchemaNode, one, many, example),
    },
  }
}

function successes(resource: Resource, name: string, action: Action, schemas: Schemas): OpenApiObject {
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
    return {
      [status]: {
        description:
          'Done; the object with `Prefer: return=representation`, or where the account has `answers_updates`',
        ...content,
      },
    }
  if (status === 204) {
    return {
      ...(content && {
        200: {
          description: 'Done; with `Prefer: return=representation`, or where the account has `answers_updates`',
          ...content,
        },
      }),
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
      description: 'At least one item was refused. Each is answered in its place; the valid ones are stored',
      content: bothFormats({ ...schema, items }, reply, named, refused),
    },
  }
}

/** `guest_category` → `GuestCategory`. */
export function pascal(name: string): string {
  return name.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** The parameters of a path but its format, which is that of an operation. `owner` names the resource, for the example of its id. */
export function pathParameters(path: string, owner: string): OpenApiObject[] {
  return [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name = '']) =>
    name === 'format'
      ? []
      : [
          {
            name,
            in: 'path',
            required: true,
            description: knownDescription(name, owner),
            schema: { type: 'string' },
            example: knownExample(name, owner),
          },
        ],
  )
}
