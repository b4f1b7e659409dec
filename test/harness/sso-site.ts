import { createHash, randomBytes } from 'node:crypto'
import { BrowserSession, type Seen } from './browser-session.ts'
import type { System, TestAccount } from './system.ts'

/** The password of every contact. */
export const PASSWORD = 'correct horse battery'

/** An app with its credentials. */
export interface SiteApp {
  id: string
  client_id: string
  client_secret: string
  redirect_uri: string
}

/** The answer to a token request. */
interface TokenAnswer {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests read any field
  body: any
}

/** Contacts and apps of an account, for tests of single sign-on. */
export class SsoSite {
  readonly system: System
  readonly slug: string
  readonly account: TestAccount
  /** The issuer. */
  readonly sso: string
  #count = 0

  constructor(system: System, account: TestAccount) {
    this.system = system
    this.slug = account.slug
    this.account = account
    this.sso = `${system.url}/sso/${account.slug}`
  }

  /** The name of the cookie of a session, without HTTPS. */
  get sessionCookie(): string {
    return `sso-${this.slug}`
  }

  /** A site of a new account. */
  static async open(system: System, slug: string): Promise<SsoSite> {
    return new SsoSite(system, await system.account(slug))
  }

  async contact(fields: object = {}): Promise<{ id: string; email: string }> {
    const email = `ada.${++this.#count}@example.org`
    const body = { email, first_name: 'Ada', last_name: 'Lovelace', password: PASSWORD, ...fields }
    const made = await this.system.api('POST', 'contacts.json', body, { token: this.account.auth_token })
    if (made.status !== 201) throw new Error(made.text)
    return { id: made.body._id, email: made.body.email }
  }

  async app(fields: { is_strict?: boolean; redirect_uris?: string[]; name?: string } = {}): Promise<SiteApp> {
    const body = { name: 'Conference Hub', redirect_uris: ['https://hub.example/callback'], ...fields }
    const made = await this.system.api('POST', 'oauth_apps.json', body, { token: this.account.auth_token })
    if (made.status !== 201) throw new Error(made.text)
    const { _id, client_id, client_secret } = made.body
    return { id: _id, client_id, client_secret, redirect_uri: String(body.redirect_uris[0]) }
  }

  visitor(headers: Record<string, string> = {}): BrowserSession {
    return new BrowserSession(`${this.system.url}/sso/`, headers)
  }

  /** The address to which an app sends a contact. Parameters that are null are left out. */
  authorize(app: SiteApp, params: Record<string, string | null> = {}): string {
    const all = {
      client_id: app.client_id,
      redirect_uri: app.redirect_uri,
      response_type: 'code',
      scope: 'public',
      state: 'af0ifjsldkj',
      ...params,
    }
    const query = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null)
    return `${this.sso}/oauth/authorize?${new URLSearchParams(query)}`
  }

  /** Signs a contact in and allows the app. Returns the address of the app to which the contact is redirected. */
  async signIn(
    visitor: BrowserSession,
    app: SiteApp,
    email: string,
    params: Record<string, string | null> = {},
  ): Promise<URL> {
    let seen: Seen = await visitor.open(this.authorize(app, params))
    if (seen.text.includes('name="password"')) {
      seen = await visitor.submit(seen, { email, password: PASSWORD, step: 'password' })
    }
    if (seen.text.includes('value="allow"')) seen = await visitor.submit(seen, { step: 'allow' })
    if (!seen.url.startsWith(app.redirect_uri)) throw new Error(`${seen.status} ${seen.url} ${seen.text}`)
    return new URL(seen.url)
  }

  /** Signs a contact in and returns the code for the app. */
  async code(
    visitor: BrowserSession,
    app: SiteApp,
    email: string,
    params: Record<string, string | null> = {},
  ): Promise<string> {
    return (await this.signIn(visitor, app, email, params)).searchParams.get('code') ?? ''
  }

  /** Sends a token request as the interface describes it, with all parameters in the body. */
  async token(
    app: SiteApp,
    code: string,
    params: Record<string, string | null> = {},
    headers = {},
  ): Promise<TokenAnswer> {
    const all = {
      client_id: app.client_id,
      client_secret: app.client_secret,
      code,
      redirect_uri: app.redirect_uri,
      grant_type: 'authorization_code',
      ...params,
    }
    const body = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null)
    return this.post('/oauth/token', new URLSearchParams(body), headers)
  }

  async post(path: string, body: URLSearchParams, headers = {}): Promise<TokenAnswer> {
    const response = await fetch(`${this.sso}${path}`, { method: 'POST', body, headers })
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text ? JSON.parse(text) : undefined }
  }

  async me(token: string, path = '/api/v1/me'): Promise<TokenAnswer> {
    const response = await fetch(`${this.sso}${path}`, { headers: { authorization: `Bearer ${token}` } })
    return { status: response.status, headers: response.headers, body: await response.json() }
  }
}

/** A PKCE pair. */
export function pkce(): { verifier: string; challenge: string } {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}
