import type { OpenApiObject } from './schemas.ts'

/* What the descriptions of single sign-on are made of. */

/** An operation of the API document. */
export interface OpenApiOperation {
  summary: string
  description: string
  parameters?: OpenApiObject[]
  requestBody?: OpenApiObject
  security?: OpenApiObject[]
  responses: OpenApiObject
}

/** An operation at a path of single sign-on. */
export interface Endpoint extends OpenApiOperation {
  /** GET unless given. */
  method?: 'post'
  /** Its name in the `operationId`, unless that is the last segment of its path. */
  name?: string
  /** It belongs to one issuer, and does not exist at the root. */
  isIssuersOwn?: true
}

export const CODE = 'SplxlOBeZQQYbYS6WxSbIA-not-a-real-code-000000'
export const TOKEN = 'not-a-real-access-token-but-as-long-as-one-'
export const CLIENT = '3f0c6a5e9d2b4187a6c1e0d9b8f7a625'
export const CALLBACK = 'https://portal.example.com/callback'
export const ISSUER = 'https://gatehouse.example.com/sso/acme'
export const STATE = 'af0ifjsldkj'

/** A string schema. */
export const text = (description: string, example?: unknown): OpenApiObject => ({
  type: 'string',
  description,
  ...(example !== undefined && { examples: [example] }),
})

/** A query parameter. */
export function parameter(name: string, description: string, example: string, required = false): OpenApiObject {
  return { name, in: 'query', ...(required && { required }), description, schema: { type: 'string' }, example }
}

/** An object schema. */
export function object(properties: Record<string, OpenApiObject>, required: string[]): OpenApiObject {
  return { type: 'object', properties, required }
}

/** The schemas of single sign-on, by their names. */
export const ssoSchemas: Record<string, OpenApiObject> = {}

/** Gives a schema a name in the document, and returns a reference to it. */
export function named(name: string, schema: OpenApiObject): OpenApiObject {
  ssoSchemas[name] = schema
  return { $ref: `#/components/schemas/${name}` }
}

/** A JSON answer. */
export function json(schema: OpenApiObject, example: unknown): OpenApiObject {
  return { content: { 'application/json': { schema, example } } }
}

/** An HTML answer. */
export const page = {
  content: { 'text/html': { schema: { type: 'string' }, example: '<!doctype html><html lang="en">…</html>' } },
}

/** A request body, as a form or as JSON, whose schema has a name. */
export function form(
  name: string,
  properties: Record<string, OpenApiObject>,
  required: string[],
  example: OpenApiObject,
): OpenApiObject {
  const body = { schema: named(name, object(properties, required)), example }
  return {
    required: true,
    content: { 'application/x-www-form-urlencoded': body, 'application/json': body },
  }
}

const OAUTH_ERROR = named(
  'OauthError',
  object({ error: text('A code of RFC 6749'), error_description: text('A sentence about it') }, ['error']),
)

/** A refusal by RFC 6749, section 5.2. */
export function oauthError(description: string, error: string): OpenApiObject {
  return { description, ...json(OAUTH_ERROR, { error }) }
}

export const retryAfter = { headers: { 'Retry-After': { $ref: '#/components/headers/retry_after' } } }
export const location = (example: string): OpenApiObject => ({
  headers: { Location: { description: 'Where the browser goes on', schema: { type: 'string' }, example } },
})

const nowhere = { 404: { description: 'There is no such account', ...page } }
/** Refusals as pages, for browsers. */
export const pages: OpenApiObject = {
  ...nowhere,
  503: { description: 'A service or a store did not answer in time', ...retryAfter, ...page },
}
/** Refusals for apps. */
export const machines: OpenApiObject = {
  ...nowhere,
  503: { $ref: '#/components/responses/unavailable' },
}

/** Refusals of an app that has to identify itself. */
export const appRefusals: OpenApiObject = {
  401: oauthError('The app is not known, or its secret is wrong', 'invalid_client'),
  429: { ...oauthError('Too many requests', 'temporarily_unavailable'), ...retryAfter },
  ...machines,
}

/** How an app identifies itself in a form. */
export const credentials = {
  client_id: text('The id of the app, unless sent by HTTP Basic'),
  client_secret: text('The secret of the app, unless sent by HTTP Basic'),
}
export const appExample = { client_id: CLIENT, client_secret: 'gs_not-a-real-secret-but-as-long-as-one-is-000' }
