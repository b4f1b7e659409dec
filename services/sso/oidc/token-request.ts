import type { OauthAppStore } from '../api/oauth-apps/store.ts'
import type { ArtifactStore } from './artifacts.ts'

/**
 * The query of an authorization for oidc-provider: a missing or empty scope means `public`, and only the response mode `query` is
 * permitted.
 */
export function authorizationQuery(query: URLSearchParams): URLSearchParams {
  const asked = new URLSearchParams(query)
  const scopes = query.getAll('scope')
  if (scopes.length <= 1 && !scopes[0]?.trim()) asked.set('scope', 'public')
  // oidc-provider always offers `form_post`, a page with a script, and `fragment`. Unknown modes are refused through the query.
  if (query.getAll('response_mode').some((mode) => mode !== '' && mode !== 'query')) {
    asked.set('response_mode', 'unsupported')
  }
  return asked
}

/** A body as a form, or the strings and numbers of a JSON object as its fields. Undefined if it is neither. */
export function readForm(contentType: string | undefined, body: string): URLSearchParams | undefined {
  const mediaType = contentType?.split(';', 1)[0]?.trim().toLowerCase()
  if (mediaType === 'application/x-www-form-urlencoded') return new URLSearchParams(body)
  if (mediaType !== 'application/json') return undefined
  try {
    const fields = Object.entries(JSON.parse(body) as object)
    const plain = fields.filter(([, value]) => typeof value === 'string' || typeof value === 'number')
    return new URLSearchParams(plain.map(([name, value]) => [name, String(value)]))
  } catch {
    return undefined
  }
}

/**
 * Removes a needless `code_verifier` from a token request: the code was requested without a `code_challenge`, by an app that does not need one.
 * Sites in use send such verifiers, some of 36 characters, which PKCE does not allow; oidc-provider rightly refuses both.
 */
export async function dropNeedlessVerifier(
  form: URLSearchParams,
  account_id: string,
  artifacts: ArtifactStore,
  apps: OauthAppStore,
): Promise<void> {
  const code = form.get('code')
  if (form.get('grant_type') !== 'authorization_code' || !code || !form.has('code_verifier')) return
  const found = await artifacts.find(account_id, 'AuthorizationCode', code)
  if (!found || found.payload.codeChallenge !== undefined) return
  const app = await apps.findByClientId(account_id, String(found.payload.clientId))
  if (app && !app.is_strict) form.delete('code_verifier')
}

/**
 * Removes a `client_secret` that repeats the Basic credentials of a token request: some clients send both, and oidc-provider refuses that. It
 * refuses differing ones still.
 */
export function dropRepeatedSecret(form: URLSearchParams, authorization: string | undefined): void {
  const [name, secret] = basicOf(authorization) ?? []
  const isRepeated = form.getAll('client_secret').every((each) => each === secret)
  if (isRepeated && form.getAll('client_id').every((each) => each === name)) form.delete('client_secret')
}

/** The app that a request names in its body or Basic credentials; empty if it names none. */
export function clientIdOf(form: URLSearchParams, authorization: string | undefined): string {
  return (form.get('client_id') || basicNameOf(authorization)).slice(0, 255)
}

/** The name of Basic credentials; empty if there are none. */
export function basicNameOf(authorization: string | undefined): string {
  return basicOf(authorization)?.[0] ?? ''
}

/** The name and the secret of Basic credentials; undefined if there are none. */
function basicOf(authorization: string | undefined): [name: string, secret: string] | undefined {
  const basic = /^Basic ([A-Za-z0-9+/=]+)$/i.exec(authorization ?? '')?.[1]
  if (!basic) return undefined
  const text = Buffer.from(basic, 'base64').toString()
  const colon = text.indexOf(':')
  return colon < 0 ? [decoded(text), ''] : [decoded(text.slice(0, colon)), decoded(text.slice(colon + 1))]
}

/** A decoded part of Basic credentials, which are form-encoded (RFC 6749, 2.3.1). */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part.replaceAll('+', ' '))
  } catch {
    return part
  }
}
