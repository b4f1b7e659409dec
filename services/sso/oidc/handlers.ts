import type { Handlers } from '@gatehouse/proto/declaring/resource.ts'
import { toAnswer, type WebRequest } from '@gatehouse/proto/pages/exchange.ts'
import { growingCache } from '@gatehouse/proto/storage/growing-cache.ts'
import type { StoredAccount } from '../api/accounts/store.ts'
import type { Issuers } from '../issuers.ts'
import { lookOf } from '../sign-in/look.ts'
import { errorPage } from '../sign-in/pages/pages.ts'
import { TooManyAttempts } from '../throttle.ts'
import { AccountFinder } from './account-finder.ts'
import { formOf, type SsoDependencies, type UnplacedRequest } from './account-request.ts'
import { routes } from './endpoints.ts'
import { isInTheClear, isOpenToAll, type ProviderExchange } from './exchange.ts'
import { isMe, meAnswerer } from './me.ts'
import type { AccountAtIssuer } from './provider-cache.ts'
import type { oidc, SsoRequest } from './resource.ts'
import type { TokenAnswerCache } from './token-answers.ts'
import { tooManyAnswer, unplacedAnswer } from './web-answers.ts'

const MAX_ACCOUNTS = 500

/** Passwords and codes must not be sent in the clear. The rest of the service does not need HTTPS, so it starts without. */
export const NEEDS_HTTPS = 'PUBLIC_URL must begin with https:// for single sign-on, except on localhost'

/** The account of an unknown address, for the look of its page. */
export const NOBODY: StoredAccount = { _id: '', slug: 'Gatehouse', created_at: new Date(0) }

/**
 * Answers requests below `<public_url>/sso/<slug>`, to the root of an account's own host, and to the gateway's root, where the request
 * itself identifies the account.
 */
export function oidcHandlers(
  dependencies: SsoDependencies,
  answers: TokenAnswerCache,
  exchange: ProviderExchange,
  issuers: Issuers,
): Handlers<typeof oidc> {
  const { isSecure, hostname } = issuers
  if (isOpenToAll(issuers)) dependencies.log.warn(NEEDS_HTTPS)
  const accounts = growingCache<StoredAccount>(MAX_ACCOUNTS)
  const finder = new AccountFinder(dependencies, isSecure)
  const answerMe = meAnswerer(dependencies, answers)

  /** An account. For sites a cached one will do: only the look of pages changes, slug and id never do. */
  async function accountOf(
    key: string,
    isForPeople: boolean,
    find: () => Promise<StoredAccount | null>,
  ): Promise<StoredAccount | null> {
    const known = isForPeople ? undefined : accounts.get(key)
    const account = known ?? (await find())
    if (account && account !== known) accounts.set(key, account)
    return account
  }

  async function accountAt({ slug, host }: SsoRequest, request: UnplacedRequest): Promise<AccountAtIssuer | null> {
    const isForPeople = !isMe(request.method, request.path) && request.path !== routes.token
    if (slug !== null) {
      const account = await accountOf(`slug ${slug}`, isForPeople, () => dependencies.accounts.find(slug))
      return account && { account, issuer: issuers.below(account) }
    }
    const own = await atHost(host ?? '')
    if (own) return own
    const id = await finder.find({ ...request, form: formOf(request) })
    const account =
      id === undefined ? null : await accountOf(`id ${id}`, isForPeople, () => dependencies.accounts.get(id))
    return account && { account, issuer: issuers.below(account) }
  }

  /** The account with this host, whatever its port. */
  async function atHost(host: string): Promise<AccountAtIssuer | null> {
    const name = host.replace(/\.?(:\d*)?$/, '').toLowerCase()
    if (name === '' || name === hostname) return null
    const account = await dependencies.accounts.findByHost(name)
    return account && { account, issuer: issuers.at(name) }
  }

  return {
    async handle({ body }) {
      const isRefused = isInTheClear(issuers, body.address)
      const request = readRequest(body)
      const target = isRefused ? null : await accountAt(body, request)
      if (!isRefused && isMe(request.method, request.path) && (target || body.slug === null)) {
        const { account, issuer } = target ?? { account: NOBODY, issuer: issuers.base }
        const { authorization } = request.headers
        return toAnswer(await answerMe({ account_id: account._id, issuer, authorization }))
      }
      const look = lookOf({ ...request, account: target?.account ?? NOBODY })
      if (isRefused) return toAnswer(errorPage(look, 503, 'error_later', NEEDS_HTTPS))
      if (!target) {
        return body.slug === null ? unplacedAnswer(request, look) : toAnswer(errorPage(look, 404, 'error_nothing'))
      }
      try {
        return await exchange.answer(target, request)
      } catch (error) {
        if (!(error instanceof TooManyAttempts)) throw error
        return tooManyAnswer(request.path, look, error)
      }
    },
  }
}

/** A request as the gateway passes it on, with its parts read. */
export function readRequest({ method, url, headers, body, address }: WebRequest): UnplacedRequest {
  const at = url.indexOf('?')
  const path = at < 0 ? url : url.slice(0, at)
  return {
    method,
    path,
    query: new URLSearchParams(url.slice(path.length)),
    headers: Object.fromEntries(headers.map(({ name, value }) => [name, value ?? ''])),
    body: body ?? '',
    address,
  }
}
