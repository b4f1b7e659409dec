import { toAnswer, type WebResponse } from '@gatehouse/proto/pages/exchange.ts'
import type { SignInBranding } from '../sign-in/pages/languages.ts'
import { errorPage, tooManyPage } from '../sign-in/pages/pages.ts'
import { SIGN_OUT } from '../sign-in/sign-out.ts'
import type { TooManyAttempts } from '../throttle.ts'
import { formOf, type UnplacedRequest } from './account-request.ts'
import { isForMachines, routes } from './endpoints.ts'

const JSON_HEADERS = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }

/** Why the account of a request to the root is unknown, for the operator of the site. */
const UNPLACED_APP = 'Unknown account: send exactly one `client_id`, of a registered app'
const UNPLACED_SIGN_OUT = 'Unknown account: sign out at `/sso/<account>/contacts/sign_out`'
const UNPLACED_PATH = 'Unknown account: use `/sso/<account>/...`'
const UNPLACED: Record<string, string> = {
  [routes.authorization]: UNPLACED_APP,
  [routes.token]: UNPLACED_APP,
  [routes.revocation]: UNPLACED_APP,
  [routes.introspection]: UNPLACED_APP,
  [routes.end_session]: UNPLACED_SIGN_OUT,
  [SIGN_OUT]: UNPLACED_SIGN_OUT,
}

/** The answer to a request that came too often. */
export function tooManyAnswer(path: string, branding: SignInBranding, { seconds }: TooManyAttempts): WebResponse {
  if (!isForMachines(path)) return toAnswer(tooManyPage(branding, seconds))
  const body = JSON.stringify({ error: 'temporarily_unavailable', error_description: 'too many requests' })
  return toAnswer({ status: 429, headers: { ...JSON_HEADERS, 'retry-after': String(seconds) }, body })
}

/** The answer to a request to the root whose account is unknown. */
export function unplacedAnswer(request: UnplacedRequest, branding: SignInBranding): WebResponse {
  const { path } = request
  const reason = UNPLACED[path] ?? UNPLACED_PATH
  if (!isForMachines(path)) return toAnswer(errorPage(branding, 400, 'error_app', reason))
  const { authorization } = request.headers
  const isNamed = (formOf(request)?.has('client_id') ?? false) || authorization !== undefined
  const [error, error_description] =
    path === routes.userinfo
      ? ['invalid_token', 'the access token is missing or not valid']
      : [isNamed ? 'invalid_client' : 'invalid_request', reason]
  // RFC 6749, 5.2: 401 for an app that authenticates by the header.
  const basic = authorization === undefined ? undefined : 'Basic realm="single sign-on"'
  const challenge = path === routes.userinfo ? 'Bearer' : basic
  return toAnswer({
    status: challenge ? 401 : 400,
    headers: { ...JSON_HEADERS, ...(challenge && { 'www-authenticate': challenge }) },
    body: JSON.stringify({ error, error_description }),
  })
}
