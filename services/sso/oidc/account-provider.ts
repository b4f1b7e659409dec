import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Log } from '@gatehouse/proto/process/log.ts'
import { networkOf } from '@gatehouse/proto/process/network.ts'
import type { KoaContextWithOIDC } from 'oidc-provider'
import type { Account, AccountStore } from '../accounts/store.ts'
import type { AuditStore } from '../audit/store.ts'
import type { Credentials } from '../credentials/credentials.ts'
import { mountOf } from '../issuers.ts'
import { originsOf } from '../oauth-apps/redirect-uris.ts'
import { Interactions, leadTo, type Person } from './interactions.ts'
import { answerInvitation } from './invitation.ts'
import type { Keys } from './keys.ts'
import { errors, type Provider } from './library.ts'
import { languageOf, speaker } from './pages/languages/languages.ts'
import type { HtmlPage, Look } from './pages/layout.ts'
import { Markup } from './pages/markup.ts'
import { errorPage, signedOutPage, signOutPage, tooManyPage } from './pages/pages.ts'
import { makeProvider, type ProviderPages, type ProviderStores, routes, sessionCookie } from './provider.ts'
import { revocationRecorder } from './revocations.ts'
import { answerSignOut, SIGN_OUT } from './sign-out.ts'
import { useUp } from './single-use.ts'
import { type Throttle, TooMany } from './throttle.ts'
import { authorizationQuery, clientIdOf, dropNeedlessVerifier, readForm } from './token-request.ts'

/** What single sign-on works with. */
export interface SsoParts extends ProviderStores {
  accounts: AccountStore
  audit: AuditStore
  credentials: Credentials
  throttle: Throttle
  log: Log
}

/** A request to one account's single sign-on. */
export interface AccountRequest {
  account: Account
  method: string
  /** Below the issuer. */
  path: string
  query: URLSearchParams
  headers: Record<string, string>
  body: string
  address: string
}

/** What is left of a request for oidc-provider, after what comes before it. */
export interface Passed {
  url: string
  headers: Record<string, string>
  body: string
}

/** Where apps say their secrets, which somebody could guess. */
const SECRET_PATHS = new Set<string>([routes.token, routes.revocation, routes.introspection])

/** Endpoints that sites ask: they get JSON, whatever they accept. */
const MACHINE_PATHS = new Set<string>([...SECRET_PATHS, routes.userinfo, routes.jwks])

/** Whether a path is asked by sites, who get JSON, rather than by people, who get pages. */
export function isForMachines(path: string): boolean {
  return MACHINE_PATHS.has(path)
}

/** One account's single sign-on: oidc-provider with what stands before and around it. */
export class AccountProvider {
  readonly provider: Provider
  /** Of the keys that it was made with. */
  readonly version: string
  /** The issuer's, with its port. */
  readonly host: string
  readonly #accountId: string
  readonly #parts: SsoParts
  readonly #mount: string
  readonly #secret: Buffer
  readonly #callback: ReturnType<Provider['callback']>
  /** Requests under way. */
  readonly #requests = new WeakMap<object, AccountRequest>()

  constructor(account: Pick<Account, '_id' | 'slug'>, issuer: string, keys: Keys, parts: SsoParts) {
    const { _id: account_id } = account
    this.version = keys.version
    this.host = new URL(issuer).host
    this.#accountId = account_id
    this.#parts = parts
    this.#mount = mountOf(issuer)
    this.#secret = keys.cookies
    const recordRevocation = revocationRecorder(account_id, parts)
    const pages: ProviderPages = {
      error: async (ctx, error, details) => {
        const isGone = error instanceof errors.SessionNotFound
        const text = ctx.status >= 500 ? 'error_later' : isGone ? 'error_expired' : 'error_app'
        const { locale, ui_locales } = ctx.oidc.params ?? {}
        this.#send(ctx, errorPage(this.#look(ctx, locale, ui_locales), ctx.status, text, details))
      },
      signOut: async (ctx, form) => {
        const { post_logout_redirect_uri: target, ui_locales } = ctx.oidc.params ?? {}
        const targets = target ? originsOf(ctx.oidc.client?.redirectUris ?? []) : []
        this.#send(ctx, signOutPage(this.#look(ctx, ui_locales), new Markup(form), targets))
      },
      signedOut: async (ctx) => this.#send(ctx, signedOutPage(this.#look(ctx))),
    }
    this.provider = makeProvider(account, issuer, keys, parts, pages, recordRevocation)
    this.provider.on('access_token.destroyed', ({ accountId, clientId }) =>
      recordRevocation({ contact_id: accountId, client_id: clientId }),
    )
    this.provider.on('end_session.success', ({ req, oidc: { params, session } }) => {
      if (params?.logout && session?.accountId) this.#recordSignOut(session.accountId, this.#requests.get(req)?.address)
    })
    this.provider.on('server_error', (_ctx, error) => parts.log.error({ err: error }, 'single sign-on failed'))
    this.provider.use((ctx, next) => this.#around(ctx as unknown as KoaContextWithOIDC, next))
    this.#callback = this.provider.callback()
  }

  /** Answers a request, whose path and query for oidc-provider are `url`. */
  handle(req: IncomingMessage, res: ServerResponse, request: AccountRequest, url: string): void {
    this.#requests.set(req, request)
    // oidc-provider takes what stands before its own paths from here.
    Object.assign(req, { originalUrl: `${this.#mount}${url}` })
    void this.#callback(req, res)
  }

  /** What oidc-provider is to see of a request. Throws {@link TooMany}. */
  async prepare({ account, method, path, query, headers, body, address }: AccountRequest): Promise<Passed> {
    const { throttle, artifacts, apps } = this.#parts
    const isAuthorization = path === routes.authorization
    const network = networkOf(address)
    if (isAuthorization) await throttle.count(account._id, 'authorize_address', network)
    const search = isAuthorization ? authorizationQuery(query) : query
    const url = `${path}${search.size > 0 ? `?${search}` : ''}`
    const passed = { ...headers, ...(isForMachines(path) && { accept: 'application/json' }) }
    const form = method === 'POST' ? readForm(headers['content-type'], body) : undefined
    if (method === 'POST' && SECRET_PATHS.has(path)) {
      await throttle.count(account._id, 'token_address', network)
      await throttle.count(account._id, 'token_app', clientIdOf(form ?? new URLSearchParams(), headers.authorization))
    }
    if (!form || path !== routes.token) return { url, headers: passed, body }
    await dropNeedlessVerifier(form, account._id, artifacts, apps)
    return {
      url,
      headers: { ...passed, 'content-type': 'application/x-www-form-urlencoded' },
      body: form.toString(),
    }
  }

  /** Our own endpoints, and what all answers have in common. */
  async #around(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
    try {
      const page = await this.#own(ctx, next)
      if (page) this.#send(ctx, page)
      else if (ctx.status === 404 && !ctx.body) this.#send(ctx, errorPage(this.#look(ctx), 404, 'error_nothing'))
    } catch (error) {
      if (error instanceof TooMany) return this.#send(ctx, tooManyPage(this.#look(ctx), error.seconds))
      this.#parts.log.error({ err: error }, 'single sign-on failed')
      const { path } = this.#request(ctx)
      if (!isForMachines(path)) this.#send(ctx, errorPage(this.#look(ctx), 500, 'error_later'))
      else ctx.body = { error: 'temporarily_unavailable' }
      ctx.status = 500
    }
    if (ctx.status < 500) return
    // Nothing is broken for good: a store did not answer, or a replica was stopped.
    ctx.status = 503
    ctx.set('retry-after', '1')
  }

  async #own(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<HtmlPage | undefined> {
    const { account, method, path, query, headers, body } = this.#request(ctx)
    const isRead = method === 'GET' || method === 'HEAD'
    const form = method === 'POST' ? (readForm(headers['content-type'], body) ?? new URLSearchParams()) : undefined
    const [, place = '', secret = ''] = /^\/(interaction|invitations)\/([\w-]{1,200})$/.exec(path) ?? []
    const person = this.#person(ctx)
    const own = { ...this.#parts, account, provider: this.provider, secret: this.#secret, mount: this.#mount }
    if (place === 'interaction' && (isRead || form)) {
      return new Interactions(own).answer(ctx, secret, form, person)
    }
    if (place === 'invitations' && (isRead || form)) return answerInvitation(own, secret, form, person)
    if (path === SIGN_OUT && isRead) {
      const answer = await answerSignOut(own, ctx, query.get('redirect_uri'), person)
      if (answer instanceof URL) leadTo(ctx, answer.href)
      return answer instanceof URL ? undefined : answer
    }
    // oidc-provider takes its paths in any case and with a slash at the end; ours are those that are limited and looked into.
    const spelled = path.toLowerCase().replace(/\/+$/, '')
    if (path !== spelled && (Object.values(routes) as string[]).includes(spelled)) {
      return errorPage(this.#look(ctx), 404, 'error_nothing')
    }
    await next()
    const isUnguarded = ctx.status === 200 && ctx.type === 'text/html' && !ctx.response.get('content-security-policy')
    if (isUnguarded) await this.#endSession(ctx)
    if (ctx.status === 200 && ctx.oidc?.route === 'discovery') {
      Object.assign(ctx.body as object, { response_modes_supported: ['query'] })
    }
    // Scripts of other sites may read what is public, and nothing else.
    if (!path.startsWith('/.well-known/') && path !== routes.jwks) {
      ctx.remove('access-control-allow-origin')
      ctx.remove('access-control-expose-headers')
    }
    if (path === routes.token && ctx.status === 200 && !(await useUp(ctx.oidc, this.#parts.artifacts))) {
      ctx.status = 400
      ctx.body = { error: 'invalid_grant', error_description: 'already used' }
    } else if (path === routes.token && ctx.status === 200) {
      Object.assign(ctx.body as object, { created_at: Math.floor(Date.now() / 1000) })
    }
    return undefined
  }

  /**
   * Ends a session where oidc-provider would send a page of its own, whose script sends the form that ends it: at a sign-out of nobody,
   * and when somebody else signs in.
   */
  async #endSession(ctx: KoaContextWithOIDC): Promise<void> {
    const { provider, session } = ctx.oidc
    const { postLogoutRedirectUri = ctx.oidc.urlFor('end_session_success'), state } = (session?.state ?? {}) as {
      postLogoutRedirectUri?: string
      state?: string
    }
    const target = new URL(postLogoutRedirectUri)
    if (state !== undefined) target.searchParams.set('state', state)
    const { account, address } = this.#request(ctx)
    const contact_id = session?.accountId
    await session?.destroy()
    if (contact_id) await this.#parts.audit.record({ account_id: account._id, kind: 'sign_out', contact_id, address })
    ctx.cookies.set(provider.cookieName('session'), null, { ...sessionCookie, overwrite: true })
    leadTo(ctx, target.href)
  }

  #recordSignOut(contact_id: string, address: string | undefined): void {
    const { audit, log } = this.#parts
    audit
      .record({ account_id: this.#accountId, kind: 'sign_out', contact_id, address: address ?? null })
      .catch((error: Error) => log.error({ err: error }, 'a sign-out could not be recorded'))
  }

  #send(ctx: KoaContextWithOIDC, { status, body, headers }: HtmlPage): void {
    ctx.set(headers)
    ctx.status = status
    ctx.body = body
  }

  #person(ctx: KoaContextWithOIDC): Person {
    return { address: this.#request(ctx).address, look: (...asked) => this.#look(ctx, ...asked) }
  }

  #look(ctx: KoaContextWithOIDC, ...asked: unknown[]): Look {
    return lookOf(this.#request(ctx), asked)
  }

  #request(ctx: KoaContextWithOIDC): AccountRequest {
    const request = this.#requests.get(ctx.req)
    if (!request) throw new Error('a request that never began')
    return request
  }
}

/** The look of the pages for a request: the account's, in the language that is asked for, by `asked` before the query. */
export function lookOf(
  { account, query, headers }: Pick<AccountRequest, 'account' | 'query' | 'headers'>,
  asked: unknown[] = [],
): Look {
  const wishes = [...asked, query.get('locale'), query.get('ui_locales')]
  const tags = wishes.filter((wish) => typeof wish === 'string')
  const language = languageOf(tags, headers['accept-language'], account.locale)
  return { name: account.name || account.slug, colour: account.color ?? null, language, say: speaker(language) }
}
