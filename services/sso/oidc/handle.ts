import type { Call } from '@gatehouse/proto/declaring/resource.ts'
import { toAnswer, type WebRequest, type WebResponse } from '@gatehouse/proto/pages/exchange.ts'
import type { StoredAccount } from '../api/accounts/store.ts'
import type { Issuers } from '../issuers.ts'
import { brandingOf } from '../sign-in/branding.ts'
import { errorPage } from '../sign-in/pages/pages.ts'
import { TooManyAttempts } from '../throttle.ts'
import type { AccountFinder } from './account-finder.ts'
import type { UnplacedRequest } from './account-request.ts'
import { isInTheClear, type ProviderExchange } from './exchange.ts'
import { isMe, type MeEndpoint } from './me.ts'
import type { AccountAtIssuer } from './provider-cache.ts'
import type { oidc, SsoAnswer } from './resource.ts'
import { tooManyAnswer, unplacedAnswer } from './web-answers.ts'

/** Passwords and codes must not be sent in the clear. The rest of the service does not need HTTPS, so it starts without. */
export const NEEDS_HTTPS = 'PUBLIC_URL must begin with https:// for single sign-on, except on localhost'

/** The account of an unknown address, for the branding of its page. */
export const NOBODY: StoredAccount = { _id: '', slug: 'Gatehouse', created_at: new Date(0) }

/** What requests to single sign-on depend on. */
export interface OidcDependencies {
  finder: AccountFinder
  me: MeEndpoint
  exchange: ProviderExchange
  issuers: Issuers
}

/**
 * Answers requests below `<public_url>/sso/<slug>`, to the root of an account's own host, and to the gateway's root, where the request
 * itself identifies the account.
 */
export async function handle(
  { finder, me, exchange, issuers }: OidcDependencies,
  { body }: Call<(typeof oidc)['actions']['handle']>,
): Promise<SsoAnswer> {
  const request = readRequest(body)
  if (isInTheClear(issuers, body.address)) {
    const branding = brandingOf({ ...request, account: NOBODY }, issuers.base)
    return { ...toAnswer(errorPage(branding, 503, 'error_later', NEEDS_HTTPS)), is_placed: true }
  }
  const target = await finder.at(body, request)
  return { ...(await answerAt(target)), is_placed: target !== null }

  async function answerAt(target: AccountAtIssuer | null): Promise<WebResponse> {
    const { account, issuer } = target ?? { account: NOBODY, issuer: issuers.base }
    if (isMe(request.method, request.path) && (target || body.slug === null))
      return toAnswer(await me.answer(account._id, issuer, request.headers.authorization))
    const branding = brandingOf({ ...request, account }, issuer)
    if (!target)
      return body.slug === null
        ? unplacedAnswer(request, branding)
        : toAnswer(errorPage(branding, 404, 'error_nothing'))
    try {
      return await exchange.answer(target, request)
    } catch (error) {
      if (!(error instanceof TooManyAttempts)) throw error
      return tooManyAnswer(request.path, branding, error)
    }
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
