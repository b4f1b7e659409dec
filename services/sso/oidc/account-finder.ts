import { growingCache } from '@gatehouse/proto/storage/growing-cache.ts'
import type { StoredAccount } from '../api/accounts/store.ts'
import type { Issuers } from '../issuers.ts'
import { SIGN_OUT } from '../sign-in/sign-out.ts'
import { accountIdOf, bearerOf } from './access-tokens.ts'
import { formOf, type SsoDependencies, type UnplacedRequest } from './account-request.ts'
import { routes } from './endpoints.ts'
import { isMe } from './me.ts'
import type { AccountAtIssuer } from './provider-cache.ts'
import type { SsoRequest } from './resource.ts'
import { sessionCookiePrefix } from './session-cookie.ts'
import { basicNameOf } from './token-request.ts'

/** Sessions of one browser that are read. */
const MAX_SESSIONS = 20
const MAX_ACCOUNTS = 500

/** The parts of a request to the root that may identify its account. */
export interface AccountHints {
  method: string
  path: string
  query: URLSearchParams
  /** The form of a POST. */
  form: URLSearchParams | undefined
  headers: Record<string, string>
}

/** Finds the accounts of requests. */
export class AccountFinder {
  readonly #dependencies: SsoDependencies
  readonly #issuers: Issuers
  readonly #accounts = growingCache<StoredAccount>(MAX_ACCOUNTS)

  constructor(dependencies: SsoDependencies, issuers: Issuers) {
    this.#dependencies = dependencies
    this.#issuers = issuers
  }

  /**
   * Returns the account of a request: by the slug below `<public_url>/sso/`, by an account's own host, and at the gateway's root by the request
   * itself. Null without one.
   */
  async at({ slug, host }: SsoRequest, request: UnplacedRequest): Promise<AccountAtIssuer | null> {
    const { accounts } = this.#dependencies
    const isForPeople = !isMe(request.method, request.path) && request.path !== routes.token
    const own = slug === null ? await this.#atHost(host ?? '') : null
    if (own) return own
    const id = slug === null ? await this.find({ ...request, form: formOf(request) }) : undefined
    // For sites a cached account will do: only the branding of pages changes, slug and id never do.
    const key = slug === null ? `id ${id}` : `slug ${slug}`
    const known = isForPeople ? undefined : this.#accounts.get(key)
    const account =
      known ?? (slug !== null ? await accounts.find(slug) : id === undefined ? null : await accounts.get(id))
    if (!account) return null
    if (account !== known) this.#accounts.set(key, account)
    return { account, issuer: this.#issuers.below(account) }
  }

  /** The account with this host, whatever its port. */
  async #atHost(host: string): Promise<AccountAtIssuer | null> {
    const name = host.replace(/\.?(:\d*)?$/, '').toLowerCase()
    if (name === '' || name === this.#issuers.hostname) return null
    const account = await this.#dependencies.accounts.findByHost(name)
    return account && { account, issuer: this.#issuers.at(name) }
  }

  /**
   * Returns the id of the account of a request to the root: by its access token or app, at a sign-out by the browser's sessions and the redirect
   * address. Undefined if none of these identifies exactly one account (docs/adr/0011). The result is a hint and proves nothing: the account
   * checks app, token and session, and may not exist.
   */
  async find({ method, path, query, form, headers }: AccountHints): Promise<string | undefined> {
    const { authorization, cookie } = headers
    if (isMe(method, path) || path === routes.userinfo) {
      const token = bearerOf(authorization)
      return token && accountIdOf(token)
    }
    const params = method === 'POST' ? (form ?? new URLSearchParams()) : query
    // Only a POST authenticates an app: a browser may send a proxy's Basic credentials with each request.
    const basic = method === 'POST' ? basicNameOf(authorization) : ''
    const named = new Set([...params.getAll('client_id'), basic].filter(Boolean))
    const [client_id] = named
    if (client_id !== undefined) return named.size > 1 ? undefined : this.#dependencies.apps.accountOf(client_id)
    if (path === SIGN_OUT) return this.#atSignOut(query.get('redirect_uri'), cookie)
    if (path === routes.end_session) return this.#atSignOut(params.get('post_logout_redirect_uri'), cookie)
    return undefined
  }

  async #atSignOut(target: string | null, cookie = ''): Promise<string | undefined> {
    const { apps } = this.#dependencies
    const origin = target ? URL.parse(target)?.origin : undefined
    const [sessions, homes] = await Promise.all([this.#signedIn(cookie), origin ? apps.accountsAt(origin) : []])
    const both = homes.filter((home) => sessions.includes(home))
    const candidates = [both, homes, sessions].find((ids) => ids.length > 0) ?? []
    return candidates.length === 1 ? candidates[0] : undefined
  }

  /** The accounts at which a browser is signed in. */
  async #signedIn(cookie: string): Promise<string[]> {
    const { accounts, artifacts } = this.#dependencies
    const prefix = sessionCookiePrefix(this.#issuers.isSecure)
    const sessions = cookie.split(';').flatMap((pair) => {
      const [, name = '', id = ''] = /^ *([^=]+)=([\w-]{1,200}) *$/.exec(pair) ?? []
      return name.startsWith(prefix) && !name.endsWith('.sig') ? [{ slug: name.slice(prefix.length), id }] : []
    })
    const found = await Promise.all(
      sessions.slice(0, MAX_SESSIONS).map(async ({ slug, id }) => {
        const account = await accounts.find(slug)
        const session = account && (await artifacts.sessions.find(account._id, id))
        return session?.payload.accountId ? [account?._id as string] : []
      }),
    )
    return found.flat()
  }
}
