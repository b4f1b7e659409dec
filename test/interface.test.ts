import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { resources } from '@gatehouse/gateway/gateway'
import { liveAction } from '@gatehouse/gateway/live'
import document from '@gatehouse/gateway/openapi.json' with { type: 'json' }
import { isNullable, kindOf, type SchemaNode } from '@gatehouse/proto/declaring/fields.ts'
import {
  type Action,
  formatsOf,
  isQuiet,
  type Resource,
  routesOf,
  statusOf,
} from '@gatehouse/proto/declaring/resource.ts'
import { elementName } from '@gatehouse/proto/formats/xml.ts'
import { describe, expect, test } from 'vitest'
import { mediaTypes, shapes, ssoTable, table } from './tables/interface-table.ts'

// Compares the declarations with the table written by hand, column by column. The table tests (tables/) compare the system with the
// declarations.

/** A field of the table; its type is a word, or the fields of a record. */
interface Field {
  type: string | Fields
  /** The name of a list's children in XML. */
  listOf?: string
  nullable?: true
  optional?: true
  default?: string
  formerly?: string
}
type Fields = Record<string, Field | true>

/** All of an action that clients see. */
interface ActionEntry {
  method: string
  paths: string[]
  suffixes: string[]
  query: Fields
  who: string
  root: string
  isBatch: boolean
  body: Fields | string[]
  needs: string[]
  status: string
  name: string
  listOf?: string
  answer: Fields | string
}

/** The use of a shape: answers have no defaults; in requests optional fields are not marked, because required ones have a column. */
type Side = 'sent' | 'changed' | 'answered'

/** What is not given to these stays as it is, so that fields have no defaults. */
const CHANGES = /^PUT |batch_update$/

const FURTHER = '...'

// --- the table

function columnsOf(text: string): string[][] {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return lines.slice(1).map((line) => line.split('|').map((column) => column.trim()))
}

function words(column: string): string[] {
  return column.split(/\s+/).filter(Boolean)
}

/** The name of children in XML from `many[one]`. */
function listed(name: string, one: string | undefined): { listOf?: string } {
  return one === undefined ? {} : { listOf: one || elementName(name).replace(/s$/, '') }
}

const FIELD = /^([\w-]+)(\?)?(?:\((\w+)\))?(?:\[([\w-]*)\])?:([^=?]+)(\?)?(?:=(.+))?$/
const plainTypes = new Set(['string', 'integer', 'float', 'boolean', 'date', 'object', 'any', 'array'])

function shapeOf(name: string): string {
  return shapes[name] ?? expect.fail(`The table has no shape ${name}`)
}

function typeOf(type: string, side: Side): string | Fields {
  if (plainTypes.has(type) || type.includes('|')) return type
  const shape = shapeOf(type)
  return shape.includes(':') ? fieldsOf(shape, side === 'changed' ? 'sent' : side, true) : shape
}

function fieldsOf(shape: string, side: Side, isInside = false): Fields {
  const fields: Fields = {}
  for (const word of words(shape)) {
    if (word === FURTHER) fields[FURTHER] = true
    else if (word.startsWith('+')) Object.assign(fields, fieldsOf(shapeOf(word.slice(1)), side, isInside))
    else {
      const [, name = '', optional, old, one, type = '', nullable, initial] =
        FIELD.exec(word) ?? expect.fail(`The table has no such notation as ${word}`)
      fields[name] = {
        type: typeOf(type, side),
        ...listed(name, one),
        ...(nullable && { nullable: true }),
        ...(optional && (side === 'answered' || isInside) && { optional: true }),
        ...(initial && side === 'sent' && { default: initial }),
        ...(old && side !== 'answered' && { formerly: old }),
      }
    }
  }
  return fields
}

/** The spellings of a path, with and without the parts in brackets. */
function spellingsOf(path: string): string[] {
  const [, before = '', inside = '', after = ''] = /^([^[]*)\[([^\]]*)\](.*)$/.exec(path) ?? []
  return after ? [`${before}${inside}${after}`, `${before}${after}`].flatMap(spellingsOf) : [anyNames(path)]
}

/** Removes the names of parameters, which clients do not see. */
function anyNames(path: string): string {
  return path.replaceAll(/:\w+/g, ':')
}

function entryOf([
  method = '',
  path = '',
  who = '',
  root = '',
  body = '',
  needs,
  status = '',
  name = '',
  answer,
]: string[]): ActionEntry {
  const [address = '', query] = path.split('?')
  const [, ...suffixes] = address.split('.')
  const paths = address.split(/\s+/).flatMap((each) => spellingsOf(each.split('.')[0] as string))
  const [, bare = '', one] = /^(\w*)(?:\[([\w-]*)\])?$/.exec(name) ?? expect.fail(name)
  const isFile = root === '' && body !== ''
  return {
    method,
    paths: paths.sort(),
    suffixes: suffixes.length > 0 ? suffixes : ['json', 'xml'],
    query: query ? fieldsOf(shapeOf(query), 'sent') : {},
    who,
    root: root.replace('[]', ''),
    isBatch: root.endsWith('[]'),
    body: isFile
      ? words(body).map(plainMedia)
      : body
        ? fieldsOf(shapeOf(body), CHANGES.test(`${method} ${path}`) ? 'changed' : 'sent')
        : {},
    needs: words(needs ?? '').sort(),
    status,
    name: elementName(bare),
    ...listed(bare, one),
    answer: answer ? typeOf(answer, 'answered') : '',
  }
}

function plainMedia(suffix: string): string {
  return (mediaTypes[suffix] ?? expect.fail(suffix)).split(';')[0] as string
}

// --- the declarations

const typeNames: Record<string, string> = { number: 'float', datetime: 'date' }

function declaredType(schema: SchemaNode, side: Side): string | Fields {
  const kind = kindOf(schema)
  if (kind === 'array') return declaredType(schema.items ?? {}, side)
  if (schema.enum) return schema.enum.join('|')
  if (kind === 'object' && schema.properties) return declaredFields(schema, side, true)
  return typeNames[kind] ?? kind
}

/** A default in the notation of the table; undefined for none and for empty values. An object in a list is its values with slashes between them. */
function declaredDefault({ default: initial }: SchemaNode): string | undefined {
  if (initial === undefined || initial === null) return undefined
  if (typeof initial !== 'object') return String(initial)
  const shown = Object.values(initial).map((each) =>
    typeof each === 'object' && each !== null ? Object.values(each).join('/') : each,
  )
  return shown.join(',') || undefined
}

function declaredFields({ properties = {}, required = [], others }: SchemaNode, side: Side, isInside = false): Fields {
  const fields: Fields = others ? { [FURTHER]: true } : {}
  for (const [name, schema] of Object.entries(properties)) {
    const initial = declaredDefault(schema)
    const isOptional = !required.includes(name) && (side === 'answered' || isInside)
    fields[name] = {
      type: declaredType(schema, side),
      ...(kindOf(schema) === 'array' && { listOf: elementName(schema.singular ?? '') }),
      ...(isNullable(schema) && { nullable: true }),
      ...(isOptional && { optional: true }),
      ...(initial && side !== 'answered' && { default: initial }),
      ...(schema.formerly && side !== 'answered' && { formerly: schema.formerly.map((old) => old.name).join() }),
    }
  }
  return fields
}

/** The required fields: those without a default. */
function neededOf({ properties = {}, required = [] }: SchemaNode): string[] {
  return required.filter((name) => properties[name]?.default === undefined)
}

function declaredEntry({ one, many }: Pick<Resource, 'one' | 'many'>, action: Action): ActionEntry {
  const { method, paths } = routesOf(action) as { method: string; paths: string[] }
  const [body, query, reply] = [action.body, action.query, action.reply] as (SchemaNode | undefined)[]
  const isList = body !== undefined && kindOf(body) === 'array'
  const isListed = reply !== undefined && kindOf(reply) === 'array'
  const sent = isList ? body.items : body
  return {
    method,
    paths: paths.map(anyNames).sort(),
    suffixes: formatsOf(action),
    query: declaredFields(query ?? {}, 'sent'),
    who: action.secret ?? action.scope ?? 'admin',
    root: sent ? (action.root ?? (isList ? many : one)) : '',
    isBatch: action.batch === true,
    body: action.upload ? [...action.upload.types] : declaredFields(sent ?? {}, 'sent'),
    needs: neededOf(sent ?? {}).sort(),
    status: `${statusOf(action)}${isQuiet(action) && statusOf(action) !== 204 ? ' empty' : ''}`,
    name: reply ? elementName(isListed ? many : (action.replyName ?? one)) : '',
    ...(isListed && { listOf: elementName(reply.singular ?? '') }),
    answer: reply ? declaredType(reply, 'answered') : '',
  }
}

const declared = [
  ...resources.flatMap((resource) => Object.values(resource.actions).map((action) => ({ resource, action }))),
  { resource: { one: '', many: '' }, action: liveAction as Action },
].filter(({ action }) => action.route)

const entries = columnsOf(table).map(entryOf)

/** The entries with the same method and a common path. */
function alike({ method, paths }: ActionEntry, among: ActionEntry[]): ActionEntry[] {
  return among.filter((entry) => entry.method === method && entry.paths.some((path) => paths.includes(path)))
}

describe('an action is declared as in the table', () => {
  test.each(declared.map(({ resource, action }) => [action.route as string, resource, action] as const))(
    '%s',
    (route, resource, action) => {
      const entry = declaredEntry(resource, action)
      const [expected, ...more] = alike(entry, entries)
      expect(expected, `${route} is not in the table`).toBeDefined()
      expect(more, `${route} is in the table more than once`).toEqual([])
      expect(entry).toEqual(expected)
      expect(neededOf((action.query ?? {}) as SchemaNode), 'a query can be left out').toEqual([])
      for (const [suffix, type] of Object.entries(action.produces ?? {})) expect(type).toBe(mediaTypes[suffix])
    },
  )
})

test('every action of the table is declared', () => {
  const actions = declared.map(({ resource, action }) => declaredEntry(resource, action))
  const missing = entries.filter((entry) => alike(entry, actions).length === 0)
  expect(missing.map(({ method, paths }) => `${method} ${paths[0]}`)).toEqual([])
})

test('the table uses all its shapes', () => {
  const named = `${table} ${Object.values(shapes).join(' ')}`
  expect(Object.keys(shapes).filter((name) => !new RegExp(`[ ?+:]${name}(?![\\w:[(])`).test(named))).toEqual([])
})

describe('single sign-on is documented as in the table', () => {
  interface Schema {
    $ref?: string
    type?: string | string[]
    properties?: Record<string, Schema>
    required?: string[]
  }
  interface Operation {
    parameters?: { name: string; required?: boolean }[]
    requestBody?: { content: Record<string, { schema: Schema }> }
    responses: Record<string, { content?: Record<string, { schema: Schema }> }>
  }
  const described = document.paths as unknown as Record<string, Record<string, Operation>>
  const ABOVE = '/sso/{account}'

  const schemas = document.components.schemas as unknown as Record<string, Schema>
  const schemaOf = (content: Record<string, { schema: Schema }> | undefined, type: string): Schema => {
    const { $ref, ...inline } = content?.[type]?.schema ?? {}
    return $ref === undefined ? inline : (schemas[$ref.slice('#/components/schemas/'.length)] as Schema)
  }
  const typed = ({ properties = {}, required = [] }: Schema): string[] =>
    required.map((name) => {
      const { type = 'any' } = properties[name] as Schema
      const [kind, nothing] = [type].flat()
      return `${name}:${kind}${nothing ? '?' : ''}`
    })

  test.each(columnsOf(ssoTable).map((columns) => [columns.slice(0, 2).join(' '), columns] as const))(
    '%s',
    (_label, [method = '', path = '', root, takes = '', status = '', answer = '']) => {
      expect(Object.hasOwn(described, path)).toBe(root === 'root')
      for (const address of root ? [path, `${ABOVE}${path}`] : [`${ABOVE}${path}`]) {
        const operation = described[address]?.[method.toLowerCase()] ?? expect.fail(`${method} ${address}`)
        const form = schemaOf(operation.requestBody?.content, 'application/x-www-form-urlencoded')
        const given = [
          ...(operation.parameters ?? []).map(({ name, required }) => `${name}${required ? '!' : ''}`),
          ...Object.keys(form.properties ?? {}).map((name) => `${name}${form.required?.includes(name) ? '!' : ''}`),
        ]
        expect(given.sort()).toEqual(words(takes).sort())
        const { content } = operation.responses[status] ?? expect.fail(`${method} ${address} ${status}`)
        expect(typed(schemaOf(content, 'application/json')).sort()).toEqual(words(answer).sort())
      }
    },
  )

  test('every path is in the table', () => {
    const paths = Object.keys(described).filter((path) => path.startsWith(ABOVE))
    expect(paths.sort()).toEqual(
      columnsOf(ssoTable)
        .map(([, path]) => `${ABOVE}${path}`)
        .sort(),
    )
  })
})

describe('the rules of docs/interface.md', () => {
  const root = join(import.meta.dirname, '..')
  const rules = [...readFileSync(join(root, 'docs/interface.md'), 'utf8').matchAll(/^(?:- |\| )\*\*(\d+)\.(\d+)\*\*/gm)]
  const numbers = rules.map(([, section, rule]) => `${section}.${rule}`)

  test('have unique numbers, in order', () => {
    const inOrder = rules.map(([, section, rule]) => Number(section) * 1_000 + Number(rule))
    expect(numbers.length).toBeGreaterThan(100)
    expect(inOrder).toEqual([...new Set(inOrder)].sort((one, other) => one - other))
  })

  test('exist where comments and tests name them', () => {
    const files = globSync(
      '{apps,bench,cli,clients,deploy,drill,fuzz,gateway,proto,scale,services,test}/**/*.{ts,tsx}',
      {
        cwd: root,
        exclude: ['**/node_modules/**'],
      },
    )
    const named = files.flatMap((file) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(/interface\.md (\d+\.\d+)(?: to (\d+\.\d+))?/g)].flatMap(
        ([, ...found]) => found.filter(Boolean).map((number) => [file, number] as const),
      ),
    )
    expect(named.length).toBeGreaterThan(0)
    expect(named.filter(([, number]) => !numbers.includes(number))).toEqual([])
  })
})
