import type { Handlers } from '@gatehouse/proto/declaring/resource.ts'
import { inject } from 'light-my-request'
import { LRUCache } from 'lru-cache'
import type { Account } from '../accounts/store.ts'
import type { Issuers } from '../issuers.ts'
import { LOOPBACK } from '../oauth-apps/redirect-uris.ts'
import { AccountFinder } from './account-finder.ts'
import { AccountProvider, type AccountRequest, isForMachines, lookOf, type SsoParts } from './account-provider.ts'
import type { KeyStore } from './keys.ts'
import { isMe, meAnswerer } from './me.ts'
import type { HtmlPage, Look } from './pages/layout.ts'
import { errorPage, tooManyPage } from './pages/pages.ts'
import { routes } from './provider.ts'
import type { oidc, WebRequest, WebResponse } from './resource.ts'
import { SIGN_OUT } from './sign-out.ts'
import { TooMany } from './throttle.ts'
import type { TokenAnswerCache } from './token-answers.ts'
import { readForm } from './token-request.ts'

/** Accounts whose providers are kept ready. */
const MAX_PROVIDERS = 500
/** How often it is looked whether an account's keys are still those. New ones are announced for longer before they sign. */
const CHECK_MS = 60_000

/** Passwords and codes go over no open line, whoever listens. All else that the service does needs no HTTPS, so that it starts. */
const NEEDS_HTTPS = 'PUBLIC_URL must begin with https:// for single sign-on, unless it is this very machine'

/** Why the account of a request to the root is not known, for the operator of the site. */
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

const JSON_HEADERS = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }

/** What belongs to a connection and not to an answer. */
const DROPPED = new Set(['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding'])

/** Where a request goes: an account, and the issuer that it came to. */
interface AccountAtIssuer {
  account: Account
  issuer: string
}

/**
 * Answers requests below `<public_url>/sso/<slug>`, to the root of an account's own host, and to the gateway's root, where something else
 * tells the account. Providers are made when first asked for; what they know is in the store.
 */
export function oidcHandlers(
  parts: SsoParts,
  answers: TokenAnswerCache,
  keys: KeyStore,
  issuers: Issuers,
): Handlers<typeof oidc> {
  const { isSecure, hostname } = issuers
  const isOpenToAll = !isSecure && !LOOPBACK.has(hostname)
  if (isOpenToAll) parts.log.warn(NEEDS_HTTPS)
  const providers = new LRUCache<string, { provider: AccountProvider; checked: number }>({ max: MAX_PROVIDERS })
  const accounts = new LRUCache<string, Account>({ max: MAX_PROVIDERS })
  const making = new Map<string, Promise<AccountProvider>>()
  const finder = new AccountFinder(parts, isSecure)

  const answerMe = meAnswerer(parts, answers)

  /** An account. Where only whose it is counts, not how its pages look, it need not be read again: slug and id stay an account's. */
  async function accountOf(
    key: string,
    isForPeople: boolean,
    find: () => Promise<Account | null>,
  ): Promise<Account | null> {
    const known = isForPeople ? undefined : accounts.get(key)
    const account = known ?? (await find())
    if (account && account !== known) accounts.set(key, account)
    return account
  }

  async function accountAt({ slug, host }: WebRequest, request: UnknownAccount): Promise<AccountAtIssuer | null> {
    const isForPeople = !isMe(request.method, request.path) && request.path !== routes.token
    if (slug !== null) {
      const account = await accountOf(`slug ${slug}`, isForPeople, () => parts.accounts.find(slug))
      return account && { account, issuer: issuers.below(account) }
    }
    const own = await atHost(host ?? '')
    if (own) return own
    const id = await finder.find({ ...request, form: formOf(request) })
    const account = id === undefined ? null : await accountOf(`id ${id}`, isForPeople, () => parts.accounts.get(id))
    return account && { account, issuer: issuers.below(account) }
  }

  /** The account whose own host a client named, whatever the port. */
  async function atHost(host: string): Promise<AccountAtIssuer | null> {
    const name = host.replace(/\.?(:\d*)?$/, '').toLowerCase()
    if (name === '' || name === hostname) return null
    const account = await parts.accounts.findByHost(name)
    return account && { account, issuer: issuers.at(name) }
  }

  async function providerOf({ account, issuer }: AccountAtIssuer): Promise<AccountProvider> {
    const key = `${account._id} ${issuer}`
    const kept = providers.get(key)
    if (kept && Date.now() - kept.checked < CHECK_MS) return kept.provider
    // Whoever asks meanwhile gets the same one: a key is dear to make.
    const asking = making.get(key) ?? makeProvider(key, account, issuer).finally(() => making.delete(key))
    making.set(key, asking)
    return asking
  }

  async function makeProvider(key: string, account: Account, issuer: string): Promise<AccountProvider> {
    const current = await keys.of(account._id)
    const kept = providers.get(key)?.provider
    const provider = kept?.version === current.version ? kept : new AccountProvider(account, issuer, current, parts)
    providers.set(key, { provider, checked: Date.now() })
    return provider
  }

  return {
    async handle({ body }) {
      // The gateway may be reached from other machines too.
      const isRefused = isOpenToAll || (!isSecure && !isLocal(body.address))
      const request = readRequest(body)
      const target = isRefused ? null : await accountAt(body, request)
      if (!isRefused && isMe(request.method, request.path) && (target || body.slug === null)) {
        const { account, issuer } = target ?? { account: NOBODY, issuer: issuers.base }
        const { authorization } = request.headers
        return toAnswer(await answerMe({ account_id: account._id, issuer, authorization }))
      }
      const look = lookOf({ ...request, account: target?.account ?? NOBODY })
      if (isRefused) return toAnswer(errorPage(look, 503, 'error_later', NEEDS_HTTPS))
      if (!target) return body.slug === null ? unplaced(request, look) : toAnswer(errorPage(look, 404, 'error_nothing'))
      const provider = await providerOf(target)
      try {
        return await answer(provider, { ...request, account: target.account })
      } catch (error) {
        if (!(error instanceof TooMany)) throw error
        return isForMachines(request.path) ? tooManyAnswer(error) : toAnswer(tooManyPage(look, error.seconds))
      }
    },
  }

  /** oidc-provider is made for Node's HTTP server: here it gets the same objects without a socket. */
  async function answer(provider: AccountProvider, request: AccountRequest): Promise<WebResponse> {
    const { method } = request
    const passed = await provider.prepare(request)
    const { statusCode, headers, payload } = await inject(
      (req, res) => provider.handle(req, res, request, passed.url),
      {
        method,
        url: passed.url,
        headers: { ...passed.headers, host: provider.host, 'x-forwarded-proto': isSecure ? 'https' : 'http' },
        ...(method === 'POST' && { payload: passed.body }),
      },
    )
    const shown = Object.entries(headers).filter(([name]) => !DROPPED.has(name))
    return {
      status: statusCode,
      headers: shown.flatMap(([name, value]) => [value ?? []].flat().map((each) => ({ name, value: String(each) }))),
      body: payload,
    }
  }
}

/** Whether a network address is this very machine's. */
function isLocal(address: string): boolean {
  return address === '::1' || /^(::ffff:)?127\./.test(address)
}

/** The account of an address that is nobody's, for the look of its page. */
const NOBODY: Account = { _id: '', slug: 'Gatehouse', created_at: new Date(0) }

/** A request of which it is not known yet whose it is. */
type UnknownAccount = Omit<AccountRequest, 'account'>

function readRequest({ method, url, headers, body, address }: WebRequest): UnknownAccount {
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

function formOf({ method, headers, body }: UnknownAccount): URLSearchParams | undefined {
  return method === 'POST' ? readForm(headers['content-type'], body) : undefined
}

/** The answer to a request to the root that nothing tells the account of. */
function unplaced(request: UnknownAccount, look: Look): WebResponse {
  const { path } = request
  const reason = UNPLACED[path] ?? UNPLACED_PATH
  if (!isForMachines(path)) return toAnswer(errorPage(look, 400, 'error_app', reason))
  const { authorization } = request.headers
  const isNamed = (formOf(request)?.has('client_id') ?? false) || authorization !== undefined
  const [error, error_description] =
    path === routes.userinfo
      ? ['invalid_token', 'the access token is missing or not valid']
      : [isNamed ? 'invalid_client' : 'invalid_request', reason]
  // RFC 6749, 5.2: an app that authenticates by the header is refused by 401.
  const basic = authorization === undefined ? undefined : 'Basic realm="single sign-on"'
  const challenge = path === routes.userinfo ? 'Bearer' : basic
  return toAnswer({
    status: challenge ? 401 : 400,
    headers: { ...JSON_HEADERS, ...(challenge && { 'www-authenticate': challenge }) },
    body: JSON.stringify({ error, error_description }),
  })
}

function toAnswer({ status, headers, body }: HtmlPage): WebResponse {
  return { status, headers: Object.entries(headers).map(([name, value]) => ({ name, value })), body }
}

function tooManyAnswer({ seconds }: TooMany): WebResponse {
  const body = JSON.stringify({ error: 'temporarily_unavailable', error_description: 'too many requests' })
  return toAnswer({ status: 429, headers: { ...JSON_HEADERS, 'retry-after': String(seconds) }, body })
}
