import { SIGN_OUT } from '../sign-in/sign-out.ts'
import { accountIdOf, bearerOf } from './access-tokens.ts'
import type { SsoDependencies } from './account-request.ts'
import { routes } from './endpoints.ts'
import { isMe } from './me.ts'
import { sessionCookiePrefix } from './session-cookie.ts'
import { basicNameOf } from './token-request.ts'

/** Sessions of one browser that are read. */
const MAX_SESSIONS = 20

/** The parts of a request to the root that may identify its account. */
export interface AccountHints {
  method: string
  path: string
  query: URLSearchParams
  /** The form of a POST. */
  form: URLSearchParams | undefined
  headers: Record<string, string>
}

/**
 * Finds the account of a request to the root: by its access token or app, at a sign-out by the browser's sessions and the redirect address.
 * Undefined if none of these identifies exactly one account (docs/adr/0011). The result is a hint and proves nothing: the account checks
 * app, token and session.
 */
export class AccountFinder {
  readonly #dependencies: SsoDependencies
  readonly #isSecure: boolean

  constructor(dependencies: SsoDependencies, isSecure: boolean) {
    this.#dependencies = dependencies
    this.#isSecure = isSecure
  }

  /** The account's id; the account may not exist. */
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
    const prefix = sessionCookiePrefix(this.#isSecure)
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
