/** A JSON schema of the API document, as far as it is used there. */
export interface Schema {
  type?: string | string[]
  $ref?: string
  description?: string
  enum?: (string | number | null)[]
  items?: Schema
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  default?: unknown
}

/** A parameter of a path or a query. */
export interface Parameter {
  name: string
  description?: string
  schema: Schema
  in?: string
  $ref?: string
}

/** An operation as a method of a client. */
export interface Operation {
  /** `list`. */
  action: string
  method: string
  path: string
  summary: string
  inPath: Parameter[]
  inQuery: Parameter[]
  /** JSON, or the types of a file. */
  body: Schema | string[] | undefined
  isBodyRequired: boolean
  /** JSON, a file, or nothing. */
  reply: Schema | 'file' | undefined
  /** A list in pages, which are this schema. */
  page: Schema | undefined
  /** A change whose answer is empty unless `Prefer` says otherwise. */
  isPreferring: boolean
}

/** The operations of a resource: `guests`. */
export interface Resource {
  name: string
  operations: Operation[]
}

/** What clients are made from: `openapi-client.json`. */
export interface Api {
  schemas: Record<string, Schema>
  resources: Resource[]
}

type Content = Record<string, { schema: Schema }>
interface Described {
  operationId: string
  tags: [string]
  summary: string
  parameters?: Parameter[]
  requestBody?: { required: boolean; content: Content }
  responses: Record<string, { content?: Content; $ref?: string }>
}

/** Everything of single sign-on, which is for browsers and sites, has this tag. */
const SSO = 'single sign-on'
const JSON_TYPE = 'application/json'
/** A live feed, which does not end. */
const FEED = 'text/event-stream'

/** Reads an API document. Leaves out single sign-on, live feeds, and redirects of public links. */
export function apiOf(document: object): Api {
  const { paths, components } = document as { paths: object; components: { schemas: Record<string, Schema> } }
  const resources = new Map<string, Resource>()
  for (const [path, { parameters = [], ...methods }] of Object.entries(paths)) {
    for (const [method, described] of Object.entries(methods as Record<string, Described>)) {
      const [tag] = described.tags
      const [, answer] = Object.entries(described.responses).find(([status]) => status < '300') ?? []
      if (tag === SSO || !answer || answer.content?.[FEED]) continue
      const name = tag.replaceAll(' ', '_')
      const resource = resources.get(name) ?? { name, operations: [] }
      resources.set(name, resource)
      resource.operations.push({
        ...operationOf(described, parameters),
        action: described.operationId.slice(name.length + 1),
        method: method.toUpperCase(),
        path,
      })
    }
  }
  const named = [...resources.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
  return { schemas: components.schemas, resources: named }
}

function operationOf(described: Described, shared: Parameter[]): Omit<Operation, 'action' | 'method' | 'path'> {
  const { summary, parameters = [], requestBody, responses } = described
  const all = [...shared, ...parameters]
  const body = requestBody?.content
  const inQuery = all.filter((each) => each.in === 'query')
  const reply = replyOf(responses)
  const isPaged = inQuery.some(({ name }) => name === 'per_page')
  return {
    summary,
    inPath: all.filter((each) => each.in === 'path'),
    inQuery,
    body: body?.[JSON_TYPE]?.schema ?? (body && Object.keys(body)),
    isBodyRequired: requestBody?.required ?? false,
    reply,
    page: isPaged && typeof reply === 'object' && reply.type === 'array' ? reply : undefined,
    isPreferring: all.some(({ $ref }) => $ref?.endsWith('/prefer')),
  }
}

/** A batch with refused items is 422 and has all items, like the one without. */
function replyOf(responses: Described['responses']): Operation['reply'] {
  const [status, done] = Object.entries(responses).find(([each]) => each < '300') ?? []
  const { content } = responses[422]?.content ? responses[422] : (done ?? {})
  if (!content || status === '204') return undefined
  return content[JSON_TYPE]?.schema ?? 'file'
}

/** The name of a schema of the document: `Guest`. */
export function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1)
}

/** Whether a schema is an object whose fields are known. */
export function hasFields(schema: Schema): schema is Schema & { properties: Record<string, Schema> } {
  return Object.keys(schema.properties ?? {}).length > 0
}

/** `GuestMetadata` of `guest_metadata`. */
export function pascal(name: string): string {
  return name
    .split(/[^a-zA-Z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
}

/** What a parameter of the query is called: `category` of `category[]`. */
export function argumentOf({ name }: Parameter): string {
  return name.replace(/\W/g, '')
}

/** What the method is called that goes through all pages of a list: `each` for `list`, `each_own` for `list_own`. */
export function eachOf({ action }: Operation): string {
  return ['each', action.replace(/^list_?/, '')].filter(Boolean).join('_')
}

/** The class of a resource, whose name is that of no schema: `GuestsResource`. */
export function classNameOf({ name }: Resource): string {
  return `${pascal(name)}Resource`
}
