import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript'

interface Operation {
  tags?: string[]
  parameters?: { $ref?: string; in?: string; name?: string; schema?: { enum?: string[] } }[]
  responses: Record<string, { content?: MediaTypes }>
  requestBody?: { content: MediaTypes }
}
type MediaTypes = Record<string, object>

/** Everything of single sign-on, which is for browsers and sites, has this tag. */
const SSO = 'single sign-on'
const JSON_TYPE = 'application/json'
/** A live feed, which does not end. */
const FEED = 'text/event-stream'

/** Returns the TypeScript of what a client sends and gets, made from an API document. */
export async function typesOf(document: object): Promise<string> {
  const { paths, components, ...rest } = document as OpenAPI3
  const { schemas, parameters, headers } = components ?? {}
  const forClients = { ...rest, paths: inJson(paths ?? {}), components: { schemas, parameters, headers } } as OpenAPI3
  // A field with a default may be left out. `Guest` is short for `components['schemas']['Guest']`.
  const options = { defaultNonNullable: false, rootTypes: true, rootTypesNoSchemaPrefix: true, silent: true }
  const nodes = await openapiTS(forClients, options)
  return astToString(nodes)
}

/** The operations in JSON, at paths that end in `.json`; those of other files keep their `.{format}`. Refusals are left out: they are thrown. */
function inJson(paths: object): Record<string, object> {
  const found: Record<string, Record<string, unknown>> = {}
  for (const [path, { parameters = [], ...operations }] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations as Record<string, Operation>)) {
      if (operation.tags?.includes(SSO) || operation.responses[200]?.content?.[FEED]) continue
      const own = operation.parameters?.find(({ in: place, name }) => place === 'path' && name === 'format')
      const isJson = own?.schema?.enum?.includes('json') ?? true
      const address = isJson ? path.replace('{format}', 'json') : path
      found[address] ??= { parameters: parameters.filter(({ $ref }: { $ref?: string }) => !$ref?.endsWith('/format')) }
      found[address][method] = {
        ...operation,
        parameters: operation.parameters?.filter((each) => !isJson || each !== own),
        ...(operation.requestBody && { requestBody: withJson(operation.requestBody) }),
        responses: successes(operation),
      }
    }
  }
  return found
}

/** The answers that are no refusals. A batch with refused items is 422 and has all items, like the one without. */
function successes({ responses }: Operation): Operation['responses'] {
  const done = Object.entries(responses).filter(([status]) => status < '400')
  const { 422: partly } = responses
  return Object.fromEntries(done.map(([status, response]) => [status, withJson(partly?.content ? partly : response)]))
}

/** A body as JSON alone, if it can be JSON. */
function withJson<T extends { content?: MediaTypes }>(body: T): T {
  const json = body.content?.[JSON_TYPE]
  return json ? { ...body, content: { [JSON_TYPE]: json } } : body
}
