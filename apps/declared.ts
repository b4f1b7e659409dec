import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { otherNames } from '@gatehouse/proto/declaring/time-zones.ts'
import { type DeclaredField, type DeclaredList, type Kind, mapped, type Role } from './declaration.ts'

interface OpenApiSchema {
  $ref?: string
  type?: string | string[]
  format?: string
  enum?: unknown[]
  items?: OpenApiSchema
  properties?: Record<string, OpenApiSchema>
  required?: string[]
  maximum?: number
  minimum?: number
  maxLength?: number
  default?: unknown
  'x-known-values'?: DeclaredField['known']
}

interface Operation {
  'x-least-role'?: Role
  parameters?: { name?: string }[]
  requestBody?: { content: Record<string, { schema: OpenApiSchema }> }
  responses: Record<string, { content?: Record<string, { schema: OpenApiSchema }> }>
}

const DOCUMENT = join(import.meta.dirname, '../gateway/openapi/openapi.json')
const SUFFIX = '.{format}'
const JSON_TYPE = 'application/json'

/** What a build puts into the apps: what the API declares, and the time zones by those of their names that browsers do not know. */
export function putIn(declared: Record<string, DeclaredList>): Record<string, string> {
  return {
    __DECLARED__: JSON.stringify(declared),
    __TIME_ZONES__: JSON.stringify(Object.fromEntries(otherNames())),
  }
}

/** The lists of the API by their paths in the typed client, from the API document. */
export async function declaredLists(): Promise<Record<string, DeclaredList>> {
  const document = JSON.parse(await readFile(DOCUMENT, 'utf8'))
  const resolve = (schema: OpenApiSchema): OpenApiSchema =>
    schema.$ref === undefined
      ? schema
      : resolve(
          schema.$ref
            .split('/')
            .slice(1)
            .reduce((inside, name) => inside[name], document),
        )
  const bodyOf = (operation: Operation | undefined): OpenApiSchema | undefined => {
    const schema = operation?.requestBody?.content[JSON_TYPE]?.schema
    return schema && resolve(schema)
  }
  const paths = document.paths as Record<string, Record<string, Operation>>
  const lists = Object.entries(paths).flatMap(([path, { get, post }]): [string, DeclaredList][] => {
    const schema = get?.responses['200']?.content?.[JSON_TYPE]?.schema
    const items = schema && resolve(schema).items
    if (!get || !items || !path.startsWith('/api/') || !path.endsWith(SUFFIX)) return []
    const bare = path.slice(0, -SUFFIX.length)
    const onePath = Object.keys(paths).find(
      (each) => each.startsWith(`${bare}/{`) && !each.slice(bare.length + 1).includes('/'),
    )
    const one = onePath === undefined ? undefined : paths[onePath]
    const created = bodyOf(post)
    const updated = bodyOf(one?.put)
    const roleOf = (operation: Operation): Role => operation['x-least-role'] ?? 'owner'
    const acting = Object.keys(paths).find((each) => each.startsWith(`${bare}/{`) && paths[each]?.post)
    const changing = one?.put ?? one?.delete ?? post ?? (acting && paths[acting]?.post)
    const { properties = {} } = resolve(items)
    return [
      [
        `${bare}.json`,
        {
          item: mapped(properties, (each) => kindOf(resolve(each), resolve)),
          ...(created && {
            create: mapped(created.properties ?? {}, (each, name) =>
              fieldOf(resolve(each), resolve, created.required?.includes(name)),
            ),
          }),
          ...(updated && { update: Object.keys(updated.properties ?? {}) }),
          ...(onePath !== undefined && { one: onePath.replace(SUFFIX, '.json') }),
          ...(one?.get && { reads: true }),
          ...(one?.delete && { deletes: true }),
          sees: roleOf(get),
          ...(post && { creates: roleOf(post) }),
          ...(changing && { changes: roleOf(changing) }),
          ...(get.parameters?.some(({ name }) => name === 'per_page') && { paged: true }),
        },
      ],
    ]
  })
  return Object.fromEntries(lists)
}

function fieldOf(
  schema: OpenApiSchema,
  resolve: (schema: OpenApiSchema) => OpenApiSchema,
  isRequired = false,
): DeclaredField {
  const { maximum, minimum, maxLength, default: initial, 'x-known-values': known } = schema
  const kind = kindOf(schema, resolve)
  const { enum: choices } = [schema, resolve(schema.items ?? {})].find(isChoice) ?? {}
  return {
    kind,
    ...(isRequired && { required: true }),
    ...(typesOf(schema).includes('null') && { optional: true }),
    ...(choices && { choices: choices.filter((choice) => choice !== null) as string[] }),
    ...(known && { known }),
    ...(maximum !== undefined && { maximum }),
    ...(minimum !== undefined && { minimum }),
    ...(maxLength !== undefined && { maxLength }),
    ...(initial !== undefined && initial !== null && { initial }),
  }
}

function kindOf(schema: OpenApiSchema, resolve: (schema: OpenApiSchema) => OpenApiSchema): Kind {
  const types = typesOf(schema)
  if (isChoice(schema)) return 'choice'
  if (types.includes('array')) {
    const items = resolve(schema.items ?? {})
    if (isChoice(items)) return 'choices'
    return typesOf(items).includes('string') ? 'texts' : 'object'
  }
  if (types.includes('integer')) return 'integer'
  if (types.includes('number')) return 'number'
  if (types.includes('boolean')) return 'boolean'
  if (types.includes('string')) return schema.format === 'date-time' ? 'datetime' : 'text'
  return 'object'
}

/** Whether the values are words, which have names; statuses are numbers. */
function isChoice(schema: OpenApiSchema): boolean {
  return schema.enum !== undefined && typesOf(schema).includes('string')
}

function typesOf({ type }: OpenApiSchema): string[] {
  return type === undefined ? [] : Array.isArray(type) ? type : [type]
}
