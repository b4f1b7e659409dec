import {
  type Api,
  argumentOf,
  classNameOf,
  eachOf,
  hasFields,
  nameOf,
  type Operation,
  type Resource,
  type Schema,
} from './document.ts'

const SCALARS: Record<string, string> = {
  string: 'string',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'null',
  object: 'array<string, mixed>',
}
const HEADER = '<?php\n\n// Generated from the API document of Gatehouse.\n\ndeclare(strict_types=1);\n\n'

/** Returns the files of the PHP client that are made from the API document, by their names. */
export function phpOf({ schemas, resources }: Api, version: string): Record<string, string> {
  return {
    'Types.php': typesOf(schemas),
    'Resources.php': allOf(resources),
    'Version.php': `${HEADER}namespace Gatehouse;\n\nfinal class Version\n{\n    public const VERSION = '${version}';\n}\n`,
    ...Object.fromEntries(resources.map((each) => [`Resources/${classNameOf(each)}.php`, classOf(each)])),
  }
}

/** PHP has no types for the keys of arrays, but PHPStan, Psalm and editors read these. */
function typesOf(schemas: Record<string, Schema>): string {
  const lines = Object.entries(schemas).map(([name, schema]) => ` * @phpstan-type ${name} ${typeOf(schema, 2)}\n`)
  return `${HEADER}namespace Gatehouse;

/**
 * What the API gets and answers, as arrays.
 *
${lines.join('')} */
final class Types
{
}
`
}

/** A type in PHPStan's words, over several lines if its fields are known. */
function typeOf(schema: Schema, depth: number): string {
  if (schema.$ref) return nameOf(schema.$ref)
  if (schema.enum) return schema.enum.map((each) => (each === null ? 'null' : literalOf(each))).join('|')
  if (schema.anyOf) return schema.anyOf.map((each) => typeOf(each, depth)).join('|')
  const types = [schema.type ?? []].flat()
  const { additionalProperties } = schema
  const named = types.map((type) => {
    if (type === 'object' && hasFields(schema)) return shapeOf(schema, depth)
    if (type === 'object' && typeof additionalProperties === 'object')
      return `array<string, ${typeOf(additionalProperties, depth)}>`
    return type === 'array' ? `list<${typeOf(schema.items ?? {}, depth)}>` : (SCALARS[type] ?? 'mixed')
  })
  return named.join('|') || 'mixed'
}

function shapeOf(
  { properties, required, additionalProperties }: Schema & { properties: Record<string, Schema> },
  depth: number,
): string {
  const fields = Object.entries(properties).map(([field, each]) => {
    const key = /^\w+$/.test(field) ? field : `'${field}'`
    return ` * ${' '.repeat(depth)}${key}${required?.includes(field) ? '' : '?'}: ${typeOf(each, depth + 2)},\n`
  })
  // Fields of the account's own.
  if (additionalProperties) fields.push(` * ${' '.repeat(depth)}...\n`)
  return `array{\n${fields.join('')} * ${' '.repeat(depth - 2)}}`
}

function literalOf(value: string | number): string {
  return typeof value === 'number' ? String(value) : `'${value}'`
}

function allOf(resources: Resource[]): string {
  return `${HEADER}namespace Gatehouse;

/** What a client can reach. */
abstract class Resources
{
${resources.map((each) => `    public readonly Resources\\${classNameOf(each)} $${each.name};\n`).join('')}
    protected function __construct(Transport $transport)
    {
${resources.map((each) => `        $this->${each.name} = new Resources\\${classNameOf(each)}($transport);\n`).join('')}    }
}
`
}

function classOf(resource: Resource): string {
  const { operations } = resource
  const methods = operations.flatMap((each) => (each.page ? [methodOf(each), pagesOf(each)] : [methodOf(each)]))
  const named = [...new Set(JSON.stringify(operations).match(/(?<=#\/components\/schemas\/)\w+/g))].sort()
  return `${HEADER}namespace Gatehouse\\Resources;

use Gatehouse\\Transport;

/**
${named.map((each) => ` * @phpstan-import-type ${each} from \\Gatehouse\\Types\n`).join('')} */
final class ${classNameOf(resource)}
{
    public function __construct(private readonly Transport $transport)
    {
    }

${methods.join('\n')}}
`
}

function methodOf(operation: Operation): string {
  const { action, method, summary, body, reply, isPreferring } = operation
  const type = reply === 'file' ? 'string' : reply ? 'array' : 'void'
  const sent = [
    `'${method}'`,
    pathOf(operation),
    ...(operation.inQuery.length > 0 ? [`query: ${queryOf(operation)}`] : []),
    ...(Array.isArray(body) ? ['content: $content', 'contentType: $content_type'] : []),
    ...(body && !Array.isArray(body)
      ? [`content: Transport::json($body${body.type === 'array' ? ', isList: true' : ''})`]
      : []),
    ...(method === 'POST' ? ['key: $idempotency_key'] : []),
    ...(isPreferring ? ["prefer: 'return=representation'"] : []),
  ]
  const call = `$this->transport->${reply === 'file' ? 'file' : 'send'}(${sent.join(', ')});`
  return `${docblock(summary, operation, reply === 'file' || !reply ? undefined : typeOf(reply, 2))}
    public function ${action}(${parametersOf(operation)}): ${type}
    {
        ${type === 'void' ? '' : 'return '}${call}
    }
`
}

/** A method that goes through the pages of a list. */
function pagesOf(operation: Operation): string {
  const all = { ...operation, inQuery: operation.inQuery.filter(({ name }) => name !== 'page') }
  const name = eachOf(operation)
  const about = `All of \`${operation.action}\`, page after page.`
  return `${docblock(about, all, `\\Generator<int, ${typeOf(operation.page?.items ?? {}, 2)}>`)}
    public function ${name}(${parametersOf(all)}): \\Generator
    {
        return $this->transport->pages(${pathOf(all)}, ${queryOf(all)});
    }
`
}

/** What PHP cannot say of the parameters and the answer. */
function docblock(summary: string, { inQuery, body }: Operation, answer: string | undefined): string {
  const lists = inQuery.filter(({ schema }) => schema.type === 'array')
  const lines = [
    summary,
    ...(body && !Array.isArray(body) ? [`@param ${typeOf(body, 2)} $body`] : []),
    ...(Array.isArray(body) ? [`@param ${body.map(literalOf).join('|')} $content_type`] : []),
    ...lists.map((each) => `@param ${typeOf(each.schema, 2)}|null $${argumentOf(each)}`),
    ...(answer ? [`@return ${answer}`] : []),
  ]
  return `    /**\n${lines.map((line) => `     * ${line}\n`).join('')}     */`
}

function parametersOf({ inPath, inQuery, body, isBodyRequired, method }: Operation): string {
  return [
    ...inPath.map((each) => `string $${argumentOf(each)}`),
    ...(Array.isArray(body)
      ? ['string $content', 'string $content_type']
      : body
        ? [`array $body${isBodyRequired ? '' : ' = []'}`]
        : []),
    ...inQuery.map((each) => `${nullable(each.schema)} $${argumentOf(each)} = null`),
    ...(method === 'POST' ? ['?string $idempotency_key = null'] : []),
  ].join(', ')
}

function nullable({ type }: Schema): string {
  const [name = ''] = [type ?? []].flat()
  return `?${name === 'array' ? 'array' : (SCALARS[name] ?? 'string')}`
}

function pathOf({ path }: Operation): string {
  const parts = path.split(/\{(\w+)\}/).map((part, n) => (n % 2 ? `rawurlencode($${part})` : `'${part}'`))
  return parts.filter((part) => part !== "''").join(' . ')
}

function queryOf({ inQuery }: Operation): string {
  return `[${inQuery.map((each) => `'${each.name}' => $${argumentOf(each)}`).join(', ')}]`
}
