import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript'

interface Operation {
  tags?: string[]
  responses: Record<string, { content?: Record<string, object> }>
}

/** Everything of single sign-on, which is for browsers and sites, has this tag. */
const SSO = 'single sign-on'
/** A live feed, which does not end. */
const FEED = 'text/event-stream'

/** Returns the TypeScript of what a client sends and gets, made from an API document in JSON. */
export async function typesOf(document: object): Promise<string> {
  const { paths, components, ...rest } = document as OpenAPI3
  const { schemas, parameters, headers } = components ?? {}
  const forClients = { ...rest, paths: inClient(paths ?? {}), components: { schemas, parameters, headers } } as OpenAPI3
  // A field with a default may be left out. `Guest` is short for `components['schemas']['Guest']`.
  const options = { defaultNonNullable: false, rootTypes: true, rootTypesNoSchemaPrefix: true, silent: true }
  const nodes = await openapiTS(forClients, options)
  return astToString(nodes)
}

/** The operations but those of single sign-on and live feeds. Refusals are left out: they are thrown. */
function inClient(paths: object): Record<string, object> {
  const found: Record<string, Record<string, unknown>> = {}
  for (const [path, { parameters = [], ...operations }] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations as Record<string, Operation>)) {
      if (operation.tags?.includes(SSO) || operation.responses[200]?.content?.[FEED]) continue
      found[path] ??= { parameters }
      found[path][method] = { ...operation, responses: successes(operation) }
    }
  }
  return found
}

/** The answers that are no refusals. A batch with refused items is 422 and has all items, like the one without. */
function successes({ responses }: Operation): Operation['responses'] {
  const done = Object.entries(responses).filter(([status]) => status < '400')
  const { 422: partly } = responses
  return Object.fromEntries(done.map(([status, response]) => [status, partly?.content ? partly : response]))
}
