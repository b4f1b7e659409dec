import {
  type Api,
  argumentOf,
  classNameOf,
  eachOf,
  hasFields,
  nameOf,
  type Operation,
  pascal,
  type Resource,
  type Schema,
} from './document.ts'

const KEYWORDS = new Set(['from', 'import', 'class', 'def', 'global', 'in', 'is', 'not', 'or', 'and', 'pass', 'with'])
const SCALARS: Record<string, string> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
  object: 'Dict[str, Any]',
}
const HEADER = '# Generated from the API document of Gatehouse.\n'

/** Returns the modules of the Python client that are made from the API document, by their names. */
export function pythonOf(api: Api, version: string): Record<string, string> {
  return {
    'types.py': typesOf(api),
    'resources.py': resourcesOf(api),
    'version.py': `${HEADER}VERSION = "${version}"\n`,
  }
}

function typesOf({ schemas }: Api): string {
  const written: string[] = []
  // What is not a class is evaluated at once.
  const aliases: string[] = []
  for (const [name, schema] of Object.entries(schemas)) {
    if (hasFields(schema)) writeDict(name, schema, written)
    else aliases.push(`${name} = ${typeOf(schema, name, written)}\n`)
  }
  return `${HEADER}from __future__ import annotations

from typing import Any, Dict, List, Literal, NotRequired, TypedDict

${[...written, ...aliases].join('\n')}`
}

/** Adds the class of an object, after those of the objects in it. */
function writeDict(name: string, schema: Schema & { properties: Record<string, Schema> }, written: string[]): void {
  const fields = Object.entries(schema.properties).map(([field, each]) => {
    const type = typeOf(each, name + pascal(field), written)
    const isRequired = schema.required?.includes(field)
    return { field, type: isRequired ? type : `NotRequired[${type}]`, about: each.description }
  })
  if (fields.every(({ field }) => isName(field))) {
    const lines = fields.map(
      ({ field, type, about }) => `    ${field}: ${type}${about ? `\n    ${docstring(about)}` : ''}\n`,
    )
    written.push(
      `class ${name}(TypedDict):\n${schema.description ? `    ${docstring(schema.description)}\n` : ''}${lines.join('')}`,
    )
  } else {
    // A class has no fields such as stroke-width.
    const lines = fields.map(({ field, type }) => `    "${field}": "${type}",\n`)
    written.push(`${name} = TypedDict("${name}", {\n${lines.join('')}})\n`)
  }
}

/** A type; a name for one that needs it is `name`. */
function typeOf(schema: Schema, name: string, written: string[]): string {
  if (schema.$ref) return nameOf(schema.$ref)
  if (schema.enum)
    return `Literal[${schema.enum.map((each) => (each === null ? 'None' : JSON.stringify(each))).join(', ')}]`
  if (schema.anyOf) return schema.anyOf.map((each) => typeOf(each, name, written)).join(' | ')
  if (hasFields(schema)) {
    writeDict(name, schema, written)
    return [schema.type].flat().includes('null') ? `${name} | None` : name
  }
  if (schema.type === 'array') return `List[${typeOf(schema.items ?? {}, name, written)}]`
  const { additionalProperties } = schema
  if (typeof additionalProperties === 'object') return `Dict[str, ${typeOf(additionalProperties, name, written)}]`
  const types = [schema.type ?? []]
    .flat()
    .map((each) => SCALARS[each] ?? `List[${typeOf(schema.items ?? {}, name, written)}]`)
  return types.join(' | ') || 'Any'
}

function resourcesOf({ resources }: Api): string {
  const made = resources.map((each) => `        self.${each.name} = ${classNameOf(each)}(transport)\n`)
  return `${HEADER}# mypy: disable-error-code="no-any-return"
from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Dict, List, Literal

from .transport import Transport, quoted
from .types import *


${resources.map(classOf).join('\n\n')}

class Resources:
    """What a client can reach."""

    def __init__(self, transport: Transport) -> None:
${made.join('')}`
}

function classOf(resource: Resource): string {
  const methods = resource.operations.flatMap((each) =>
    each.page ? [methodOf(each), pagesOf(each)] : [methodOf(each)],
  )
  return `class ${classNameOf(resource)}:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

${methods.join('\n')}`
}

function methodOf(operation: Operation): string {
  const { action, method, summary, body, reply, isPreferring } = operation
  const type = reply === 'file' ? 'bytes' : reply ? inline(reply) : 'None'
  const sent = [
    `"${method}"`,
    pathOf(operation),
    ...(operation.inQuery.length > 0 ? [`query=${queryOf(operation)}`] : []),
    ...(Array.isArray(body) ? ['content=content', 'content_type=content_type'] : body ? ['body=body'] : []),
    ...(method === 'POST' ? ['key=idempotency_key'] : []),
    ...(isPreferring ? ['prefer="return=representation"'] : []),
    ...(reply === 'file' ? ['is_file=True'] : []),
  ]
  return `    def ${isName(action) ? action : `${action}_`}(${parametersOf(operation)}) -> ${type}:
        ${docstring(summary)}
        return self._transport.send(${sent.join(', ')})
`
}

/** A method that goes through the pages of a list. */
function pagesOf(operation: Operation): string {
  const inQuery = operation.inQuery.filter(({ name }) => name !== 'page')
  const all = { ...operation, inQuery }
  const name = eachOf(operation)
  return `    def ${name}(${parametersOf(all)}) -> Iterator[${inline(operation.page?.items ?? {})}]:
        """All of \`${operation.action}\`, page after page."""
        return self._transport.pages(${pathOf(operation)}, ${queryOf(all)})
`
}

function parametersOf({ inPath, inQuery, body, isBodyRequired, method }: Operation): string {
  const named = [
    ...inQuery.map((each) => `${argumentOf(each)}: ${optional(inline(each.schema))} = None`),
    ...(method === 'POST' ? ['idempotency_key: str | None = None'] : []),
  ]
  const json = body && !Array.isArray(body) ? inline(body) : undefined
  return [
    'self',
    ...inPath.map((each) => `${argumentOf(each)}: ${inline(each.schema)}`),
    ...(json ? [`body: ${isBodyRequired ? json : `${optional(json)} = None`}`] : []),
    ...(Array.isArray(body)
      ? ['content: bytes', `content_type: Literal[${body.map((each) => `"${each}"`).join(', ')}]`]
      : []),
    ...(named.length > 0 ? ['*', ...named] : []),
  ].join(', ')
}

function pathOf({ path }: Operation): string {
  return path.includes('{') ? `f"${path.replace(/\{(\w+)\}/g, '{quoted($1)}')}"` : `"${path}"`
}

function queryOf({ inQuery }: Operation): string {
  return `{${inQuery.map((each) => `"${each.name}": ${argumentOf(each)}`).join(', ')}}`
}

/** A type of a parameter or an answer, none of which needs a name. */
function inline(schema: Schema): string {
  return typeOf(schema, '', [])
}

function optional(type: string): string {
  return /\bNone\]?$/.test(type) ? type : `${type} | None`
}

function isName(name: string): boolean {
  return /^[a-z_]\w*$/i.test(name) && !KEYWORDS.has(name)
}

function docstring(text: string): string {
  return `"""${text.replaceAll('\\', '\\\\').replaceAll('"', "'")}"""`
}
