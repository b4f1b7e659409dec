import { BrowserSession, type Seen } from './browser-session.ts'
import type { Answer } from './call.ts'
import { PASSWORD } from './sso-site.ts'
import type { System, TestAccount } from './system.ts'

/** The cookie of a session of the console, without HTTPS. */
export const SESSION_COOKIE = 'console'

/** A staff member as the API shows it after its creation. */
export interface StaffToken {
  _id: string
  email: string
  sign_in_url: string
}

let count = 0

/** Invites a staff member of an account. */
export async function invite(system: System, account: TestAccount, fields: object): Promise<StaffToken> {
  const body = { email: `staff.${++count}@example.org`, ...fields }
  const made = await system.api('POST', 'staff_members.json', body, { token: account.auth_token })
  if (made.status !== 201) throw new Error(made.text)
  return made.body
}

/** A person with a browser, who uses the console of an account. */
export class StaffVisitor {
  readonly browser: BrowserSession
  readonly #system: System
  readonly #slug: string

  constructor(system: System, { slug }: Pick<TestAccount, 'slug'>) {
    this.#system = system
    this.#slug = slug
    this.browser = new BrowserSession(system.url)
  }

  /** A staff member of a role who has followed the link and is signed in. */
  static async of(system: System, account: TestAccount, fields: object): Promise<StaffVisitor & { made: StaffToken }> {
    const made = await invite(system, account, fields)
    const visitor = new StaffVisitor(system, account)
    const seen = await visitor.welcome(made.sign_in_url)
    if (seen.url !== `${system.url}/console/`) throw new Error(`${seen.status} ${seen.url} ${seen.text}`)
    return Object.assign(visitor, { made })
  }

  /** Follows a link and fills in its form. */
  async welcome(url: string, fields: Record<string, string> = {}): Promise<Seen> {
    const body = new URLSearchParams({ name: 'Ada Lovelace', password: PASSWORD, ...fields })
    await this.browser.request(url)
    return this.#follow(await this.browser.request(url, { method: 'POST', body, headers: this.#own }))
  }

  /** Signs in by single sign-on; `to` is where to go afterwards. */
  async signIn(email: string, to = '/console/'): Promise<Seen> {
    const login = await this.begin(to)
    if (!login.text.includes('name="password"')) return login
    return this.browser.submit(login, { email, password: PASSWORD, step: 'password' })
  }

  /** Goes to the page of single sign-on. */
  begin(to = '/console/'): Promise<Seen> {
    const query = new URLSearchParams({ account: this.#slug, to })
    return this.browser.open(`${this.#system.url}/console/sign-in?${query}`)
  }

  /** Sends a request of the console to the API. */
  async api(
    method: string,
    path: string,
    body?: unknown,
    { base = this.#system.url, headers = {} } = {},
  ): Promise<Answer> {
    const init = { method, headers: { ...this.#own, accept: 'application/json', ...headers } as Record<string, string> }
    const url = `${base}/console/api/v1/${path}`
    if (body !== undefined) init.headers['content-type'] ??= 'application/json'
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const seen = await this.browser.request(url, { ...init, ...(body !== undefined && { body: text }) })
    const isJson = seen.headers.get('content-type')?.includes('json') && seen.text !== ''
    return { ...seen, body: isJson ? JSON.parse(seen.text) : seen.text }
  }

  /** The session as the app reads it. */
  async session(): Promise<Answer> {
    const seen = await this.browser.request(`${this.#system.url}/console/session.json`, {
      headers: { accept: 'application/json' },
    })
    return { ...seen, body: JSON.parse(seen.text) }
  }

  /** Signs out as the app does. */
  signOut(): Promise<Seen> {
    const headers = { ...this.#own, accept: '*/*' }
    return this.browser.request(`${this.#system.url}/console/sign-out`, { method: 'POST', headers })
  }

  /** The id of the session; undefined without one. */
  async cookie(path = '/console/'): Promise<string | undefined> {
    const cookies = await this.browser.jar.getCookies(`${this.#system.url}${path}`)
    return cookies.find(({ key }) => key === SESSION_COOKIE)?.value
  }

  /** What browsers say of a page's own requests. */
  get #own(): Record<string, string> {
    return { origin: this.#system.url }
  }

  async #follow(seen: Seen): Promise<Seen> {
    const location = seen.headers.get('location')
    return location ? { ...seen, url: new URL(location, seen.url).href } : seen
  }
}
