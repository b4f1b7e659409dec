import type { OpenApiObject } from './schemas.ts'

const JSON_TYPE = 'application/json'
/** Content types that a client in JSON neither sends nor gets where there is JSON. */
const OTHER_TYPES = ['application/xml', 'application/problem+json', 'application/x-www-form-urlencoded']
/** Formats of bodies that the whole document describes beside each other. */
const BODY_FORMATS = ['json', 'xml']

interface Parameter {
  $ref?: string
  name?: string
  in?: string
  schema?: { enum?: string[] }
}

interface Body extends OpenApiObject {
  content?: OpenApiObject
}

interface Operation extends OpenApiObject {
  operationId: string
  parameters?: Parameter[]
  requestBody?: Body
  responses: Record<string, Body>
}

type PathItem = Record<string, Operation> & { parameters?: Parameter[] }

/** The API document, as far as this file looks into it. */
interface Document extends OpenApiObject {
  info: OpenApiObject
  paths: Record<string, PathItem>
  webhooks: OpenApiObject
  components: Record<string, Record<string, OpenApiObject>> & { parameters: Record<string, Parameter> }
}

const ABOUT = `Gatehouse in JSON, for programs that generate clients. The page at \`/docs\` has the guides, and the document \`/openapi.json\` what there
is in XML and for browsers besides.`

/**
 * The document from which clients are generated: of the whole one what is JSON, at paths that end in `.json`, without the pages that browsers are
 * sent to. An operation that answers with files as well is two: that in JSON, and one whose `operationId` ends in `_file`.
 */
export function clientDocument(whole: OpenApiObject): OpenApiObject {
  const { info, paths: all, components, ...rest } = whole as Document
  const formatsOf = (operation: Operation): string[] | undefined => {
    const own = operation.parameters?.find(isFormat)
    return own && (own.$ref ? components.parameters.format : own)?.schema?.enum
  }
  const paths: Record<string, OpenApiObject> = {}
  for (const [path, { parameters = [], ...operations }] of Object.entries(all)) {
    for (const [method, operation] of Object.entries(operations as Record<string, Operation>)) {
      for (const [address, single] of splitByFormat(path, operation, formatsOf(operation))) {
        if (isPage(single)) continue
        paths[address] ??= parameters.length > 0 ? { parameters } : {}
        paths[address][method] = single
      }
    }
  }
  const { responses = {}, ...others } = components
  const named = { ...others, responses: mapped(responses, (each) => inJson(each as Body)) }
  const document = { ...rest, info: { ...info, description: ABOUT }, paths, components: named }
  return withUsedComponents(withoutXml(document) as Document)
}

/** An operation at each address: in JSON, and for files. */
function splitByFormat(path: string, operation: Operation, formats: string[] | undefined): [string, Operation][] {
  if (!formats) return [[path, mappedBodies(operation, inJson, 'json')]]
  const { operationId, parameters = [] } = operation
  const others = parameters.filter((each) => !isFormat(each))
  const isJson = formats.includes('json')
  const files = formats.filter((format) => !BODY_FORMATS.includes(format))
  const found: [string, Operation][] = []
  const add = (format: string, made: Operation, own: Parameter[]): void =>
    void found.push([path.replace('{format}', format), { ...made, parameters: [...own, ...others] }])
  if (isJson) add('json', mappedBodies(operation, inJson, 'json'), [])
  if (files.length === 0) return found
  const one = files.length === 1 ? files[0] : undefined
  const format = one ?? '{format}'
  const schema = { type: 'string', enum: files }
  const chosen = parameters.filter(isFormat).map((each) => ({ ...each, schema, example: files[0] }))
  const file = { ...operation, operationId: isJson ? `${operationId}_file` : operationId }
  add(format, mappedBodies(file, inFiles, format), one ? [] : chosen)
  return found
}

function isFormat({ $ref, name, in: place }: Parameter): boolean {
  return $ref === '#/components/parameters/format' || (place === 'path' && name === 'format')
}

/** Whether an operation answers with nothing but pages for browsers. */
function isPage({ responses }: Operation): boolean {
  const types = Object.entries(responses).flatMap(([status, { content = {} }]) =>
    status < '400' ? Object.keys(content) : [],
  )
  return '303' in responses && types.every((type) => type === 'text/html')
}

function mappedBodies(operation: Operation, change: (body: Body) => Body, format: string): Operation {
  const { requestBody, responses, description } = operation
  return {
    ...operation,
    description: String(description).replaceAll('{format}', format),
    ...(requestBody && { requestBody: change(requestBody) }),
    // The path of a client always ends in a format.
    responses: mapped(Object.fromEntries(Object.entries(responses).filter(([status]) => status !== '406')), change),
  }
}

/** A body as JSON alone, if it can be JSON. */
function inJson(body: Body): Body {
  const { content } = body
  const type = Object.keys(content ?? {}).find((each) => each.startsWith(JSON_TYPE))
  return type === undefined || !content ? body : { ...body, content: { [JSON_TYPE]: content[type] } }
}

/** A success as files, a refusal as JSON. */
function inFiles(body: Body): Body {
  const { content = {} } = body
  const files = Object.entries(content).filter(([type]) => ![JSON_TYPE, ...OTHER_TYPES].includes(type))
  return files.length > 0 ? { ...body, content: Object.fromEntries(files) } : inJson(body)
}

/** Schemas without what XML calls them. */
function withoutXml(value: unknown, isMap = false): unknown {
  if (Array.isArray(value)) return value.map((each) => withoutXml(each))
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([key]) => isMap || key !== 'xml')
  return Object.fromEntries(
    kept.map(([key, each]) => [key, key === 'example' ? each : withoutXml(each, key === 'properties')]),
  )
}

/** The document with those of its components to which something refers. */
function withUsedComponents(document: Document): OpenApiObject {
  const { components, ...rest } = document
  const used = new Set<string>()
  const follow = (value: unknown): void => {
    for (const [, reference = ''] of JSON.stringify(value).matchAll(/"\$ref":"#\/components\/([^"]+)"/g)) {
      if (used.has(reference)) continue
      used.add(reference)
      const [kind = '', name = ''] = reference.split('/')
      follow(components[kind]?.[name])
    }
  }
  follow(rest)
  const kept = Object.entries(components).map(([kind, named]) => [
    kind,
    kind === 'securitySchemes'
      ? named
      : Object.fromEntries(Object.entries(named).filter(([name]) => used.has(`${kind}/${name}`))),
  ])
  return { ...rest, components: Object.fromEntries(kept) }
}

function mapped<T, U>(values: Record<string, T>, change: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value)]))
}
