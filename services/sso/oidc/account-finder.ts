import type { AccountStore } from '../accounts/store.ts'
import type { OauthAppStore } from '../oauth-apps/store.ts'
import { accountIdOf, bearerOf } from './access-tokens.ts'
import type { ArtifactStore } from './artifacts.ts'
import { isMe } from './me.ts'
import { routes, sessionCookiePrefix } from './provider.ts'
import { SIGN_OUT } from './sign-out.ts'
import { basicNameOf } from './token-request.ts'

/** Sessions of one browser that are looked at. */
const MAX_SESSIONS = 20

/** What may tell whose a request to the root is. */
export interface AccountHints {
  method: string
  path: string
  query: URLSearchParams
  /** Of a POST. */
  form: URLSearchParams | undefined
  headers: Record<string, string>
}

interface Stores {
  accounts: AccountStore
  apps: OauthAppStore
  artifacts: ArtifactStore
}

/**
 * Finds the account that a request to the root is about: by its access token, by the app that it names, at a sign-out by the sessions of
 * the browser and the app to lead on to. Undefined where none of these tells, or they tell of several accounts (docs/adr/0023). It is a
 * hint and proves nothing: the account judges app, token and session by itself.
 */
export class AccountFinder {
  readonly #stores: Stores
  readonly #isSecure: boolean

  constructor(stores: Stores, isSecure: boolean) {
    this.#stores = stores
    this.#isSecure = isSecure
  }

  /** The account's id, as far as the request tells; there may be no such account. */
  async find({ method, path, query, form, headers }: AccountHints): Promise<string | undefined> {
    const { authorization, cookie } = headers
    if (isMe(method, path) || path === routes.userinfo) {
      const token = bearerOf(authorization)
      return token && accountIdOf(token)
    }
    const params = method === 'POST' ? (form ?? new URLSearchParams()) : query
    // Apps authenticate in what they post: a browser may send a proxy's Basic credentials with everything.
    const basic = method === 'POST' ? basicNameOf(authorization) : ''
    const named = new Set([...params.getAll('client_id'), basic].filter(Boolean))
    const [client_id] = named
    if (client_id !== undefined) return named.size > 1 ? undefined : this.#stores.apps.accountOf(client_id)
    if (path === SIGN_OUT) return this.#atSignOut(query.get('redirect_uri'), cookie)
    if (path === routes.end_session) return this.#atSignOut(params.get('post_logout_redirect_uri'), cookie)
    return undefined
  }

  async #atSignOut(target: string | null, cookie = ''): Promise<string | undefined> {
    const { apps } = this.#stores
    const origin = target ? URL.parse(target)?.origin : undefined
    const [sessions, homes] = await Promise.all([this.#signedIn(cookie), origin ? apps.accountsAt(origin) : []])
    const both = homes.filter((home) => sessions.includes(home))
    const candidates = [both, homes, sessions].find((ids) => ids.length > 0) ?? []
    return candidates.length === 1 ? candidates[0] : undefined
  }

  /** The accounts that a browser is signed in at. */
  async #signedIn(cookie: string): Promise<string[]> {
    const { accounts, artifacts } = this.#stores
    const prefix = sessionCookiePrefix(this.#isSecure)
    const sessions = cookie.split(';').flatMap((pair) => {
      const [, name = '', id = ''] = /^ *([^=]+)=([\w-]{1,200}) *$/.exec(pair) ?? []
      return name.startsWith(prefix) && !name.endsWith('.sig') ? [{ slug: name.slice(prefix.length), id }] : []
    })
    const found = await Promise.all(
      sessions.slice(0, MAX_SESSIONS).map(async ({ slug, id }) => {
        const account = await accounts.find(slug)
        const session = account && (await artifacts.findSession(account._id, id))
        return session?.payload.accountId ? [account?._id as string] : []
      }),
    )
    return found.flat()
  }
}
