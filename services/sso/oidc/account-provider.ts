import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HtmlPage } from '@gatehouse/proto/pages/layout.ts'
import { Markup } from '@gatehouse/proto/pages/markup.ts'
import type { KoaContextWithOIDC } from 'oidc-provider'
import type { StoredAccount } from '../api/accounts/store.ts'
import { originsOf } from '../api/oauth-apps/redirect-uris.ts'
import { mountOf } from '../issuers.ts'
import { redirect, sendPage } from '../sign-in/answers.ts'
import { brandingOf, type PageVisitor } from '../sign-in/branding.ts'
import { answerInteraction } from '../sign-in/interactions.ts'
import { answerInvitation } from '../sign-in/invitation.ts'
import type { SignInBranding } from '../sign-in/pages/languages.ts'
import { errorPage, signedOutPage, signOutPage, tooManyPage } from '../sign-in/pages/pages.ts'
import { answerSignOut, SIGN_OUT } from '../sign-in/sign-out.ts'
import { TooManyAttempts } from '../throttle.ts'
import { type AccountRequest, formOf, type SsoDependencies } from './account-request.ts'
import { auditRecorder } from './audit-recorder.ts'
import { isForMachines, isMisspelled, routes } from './endpoints.ts'
import type { Keys } from './keys.ts'
import { errors, type Provider } from './library.ts'
import { makeProvider, type ProviderPages } from './provider.ts'
import { sessionCookie } from './session-cookie.ts'
import { useUp } from './single-use.ts'

/** One account's single sign-on: oidc-provider, with our pages and with the adaptations of its answers. */
export class AccountProvider {
  readonly provider: Provider
  /** Version of its keys. */
  readonly version: string
  /** The issuer's host, with its port. */
  readonly host: string
  readonly #dependencies: SsoDependencies
  readonly #mount: string
  readonly #secret: Buffer
  readonly #callback: ReturnType<Provider['callback']>
  /** Requests in progress. */
  readonly #requests = new WeakMap<object, AccountRequest>()

  constructor(account: Pick<StoredAccount, '_id' | 'slug'>, issuer: string, keys: Keys, dependencies: SsoDependencies) {
    this.version = keys.version
    this.host = new URL(issuer).host
    this.#dependencies = dependencies
    this.#mount = mountOf(issuer)
    this.#secret = keys.cookies
    const recorder = auditRecorder(account._id, dependencies)
    this.provider = makeProvider(account, issuer, keys, dependencies, this.#pages(), (grant) =>
      recorder.revocation(grant),
    )
    this.provider.on('access_token.destroyed', ({ accountId, clientId }) =>
      recorder.revocation({ contact_id: accountId, client_id: clientId }),
    )
    this.provider.on('end_session.success', ({ req, oidc: { params, session } }) => {
      if (params?.logout && session?.accountId) recorder.signOut(session.accountId, this.#requests.get(req)?.address)
    })
    this.provider.on('server_error', (_ctx, error) => dependencies.log.error({ err: error }, 'single sign-on failed'))
    this.provider.use((ctx, next) => this.#around(ctx as unknown as KoaContextWithOIDC, next))
    this.#callback = this.provider.callback()
  }

  /** Answers a request; `url` is path and query for oidc-provider. */
  handle(req: IncomingMessage, res: ServerResponse, request: AccountRequest, url: string): void {
    this.#requests.set(req, request)
    // oidc-provider derives the part before its own paths from this.
    Object.assign(req, { originalUrl: `${this.#mount}${url}` })
    void this.#callback(req, res)
  }

  /** The pages that oidc-provider asks for. */
  #pages(): ProviderPages {
    return {
      error: async (ctx, error, details) => {
        const isGone = error instanceof errors.SessionNotFound
        const text = ctx.status >= 500 ? 'error_later' : isGone ? 'error_expired' : 'error_app'
        const { locale, ui_locales } = ctx.oidc.params ?? {}
        sendPage(ctx, errorPage(this.#branding(ctx, locale, ui_locales), ctx.status, text, details))
      },
      signOut: async (ctx, form) => {
        const { post_logout_redirect_uri: target, ui_locales } = ctx.oidc.params ?? {}
        const targets = target ? originsOf(ctx.oidc.client?.redirectUris ?? []) : []
        sendPage(ctx, signOutPage(this.#branding(ctx, ui_locales), new Markup(form), targets))
      },
      signedOut: async (ctx) => sendPage(ctx, signedOutPage(this.#branding(ctx))),
    }
  }

  /** Answers by our own pages or by oidc-provider, and turns failures into answers. */
  async #around(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
    try {
      const page = await this.#answer(ctx, next)
      if (page) sendPage(ctx, page)
      else if (ctx.status === 404 && !ctx.body) sendPage(ctx, errorPage(this.#branding(ctx), 404, 'error_nothing'))
    } catch (error) {
      if (error instanceof TooManyAttempts) return sendPage(ctx, tooManyPage(this.#branding(ctx), error.seconds))
      this.#dependencies.log.error({ err: error }, 'single sign-on failed')
      if (!isForMachines(this.#request(ctx).path)) sendPage(ctx, errorPage(this.#branding(ctx), 500, 'error_later'))
      else ctx.body = { error: 'temporarily_unavailable' }
      ctx.status = 500
    }
    if (ctx.status < 500) return
    // The failure is temporary: a store did not answer, or a replica was stopped.
    ctx.status = 503
    ctx.set('retry-after', '1')
  }

  async #answer(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<HtmlPage | undefined> {
    const request = this.#request(ctx)
    const { account, method, path, query } = request
    const isRead = method === 'GET' || method === 'HEAD'
    const form = method === 'POST' ? (formOf(request) ?? new URLSearchParams()) : undefined
    const [, place = '', secret = ''] = /^\/(interaction|invitations)\/([\w-]{1,200})$/.exec(path) ?? []
    const person: PageVisitor = { address: request.address, branding: (...asked) => this.#branding(ctx, ...asked) }
    const own = { ...this.#dependencies, account, provider: this.provider, secret: this.#secret, mount: this.#mount }
    if (place === 'interaction' && (isRead || form)) return answerInteraction(own, ctx, secret, form, person)
    if (place === 'invitations' && (isRead || form)) return answerInvitation(own, secret, form, person)
    if (path === SIGN_OUT && isRead) {
      const answer = await answerSignOut(own, ctx, query.get('redirect_uri'), person)
      if (answer instanceof URL) redirect(ctx, answer.href)
      return answer instanceof URL ? undefined : answer
    }
    // The limits and checks apply to exact paths.
    if (isMisspelled(path)) return errorPage(this.#branding(ctx), 404, 'error_nothing')
    await next()
    await this.#adapt(ctx, path)
    return undefined
  }

  /** Adapts an answer of oidc-provider. */
  async #adapt(ctx: KoaContextWithOIDC, path: string): Promise<void> {
    const isUnguarded = ctx.status === 200 && ctx.type === 'text/html' && !ctx.response.get('content-security-policy')
    if (isUnguarded) await this.#endSession(ctx)
    if (ctx.status === 200 && ctx.oidc?.route === 'discovery') {
      const body = ctx.body as Record<string, unknown>
      body.response_modes_supported = ['query']
      // Only strict apps get `iss`; clients that read that it is supported refuse answers without it.
      delete body.authorization_response_iss_parameter_supported
    }
    this.#dropIssuer(ctx)
    // Scripts of other sites may read only what is public.
    if (!path.startsWith('/.well-known/') && path !== routes.jwks) {
      ctx.remove('access-control-allow-origin')
      ctx.remove('access-control-expose-headers')
    }
    if (path !== routes.token || ctx.status !== 200) return
    if (await useUp(ctx.oidc, this.#dependencies.artifacts)) {
      Object.assign(ctx.body as object, { created_at: Math.floor(Date.now() / 1000) })
    } else {
      ctx.status = 400
      ctx.body = { error: 'invalid_grant', error_description: 'already used' }
    }
  }

  /**
   * Takes `iss` (RFC 9207) off the way back to an app that is not strict: Auth.js and others refuse it unless they were told the issuer, which
   * the interface of such apps does not have.
   */
  #dropIssuer(ctx: KoaContextWithOIDC): void {
    const { client, provider } = ctx.oidc ?? {}
    const location = String(ctx.response.get('location') ?? '')
    if (!client || client.is_strict === true || location === '') return
    const issuer = new URLSearchParams({ iss: provider?.issuer ?? '' }).toString()
    // A code or an error comes before it.
    ctx.set('location', location.replace(new RegExp(`&${RegExp.escape(issuer)}(?=[&#]|$)`), ''))
  }

  /**
   * Ends a session in place of a page of oidc-provider, whose script would submit the form that ends it: at a sign-out without a contact,
   * and when another contact signs in.
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
    if (contact_id)
      await this.#dependencies.audit.record({ account_id: account._id, kind: 'sign_out', contact_id, address })
    ctx.cookies.set(provider.cookieName('session'), null, { ...sessionCookie, overwrite: true })
    redirect(ctx, target.href)
  }

  #branding(ctx: KoaContextWithOIDC, ...asked: unknown[]): SignInBranding {
    return brandingOf(this.#request(ctx), this.provider.issuer, asked)
  }

  #request(ctx: KoaContextWithOIDC): AccountRequest {
    const request = this.#requests.get(ctx.req)
    if (!request) throw new Error('the request did not come through handle()')
    return request
  }
}
