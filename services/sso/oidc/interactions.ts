import { networkOf } from '@gatehouse/proto/process/network.ts'
import type { Client, KoaContextWithOIDC } from 'oidc-provider'
import type { Account } from '../accounts/store.ts'
import type { AuditStore } from '../audit/store.ts'
import { foldEmail } from '../contacts/email.ts'
import type { ContactStore } from '../contacts/store.ts'
import { CODE_MINUTES } from '../credentials/codes.ts'
import type { Credentials, Origin, SignIn } from '../credentials/credentials.ts'
import { originsOf } from '../oauth-apps/redirect-uris.ts'
import type { ConsentStore } from './consents.ts'
import { carries, formToken } from './form-token.ts'
import { nextGrantId } from './grants.ts'
import { KnownBrowser } from './known-browsers.ts'
import { errors, type Provider } from './library.ts'
import type { HtmlPage, Look } from './pages/layout.ts'
import { codePage, consentPage, errorPage, type Form, loginPage, type Problems } from './pages/pages.ts'
import { routes } from './provider.ts'
import { type Counted, type Throttle, TooMany } from './throttle.ts'

/** Who is in front of a page. */
export interface Person {
  /** Network address. */
  address: string
  /** The account's look in the person's language; `asked` is what a site asked for, the most important first. */
  look(...asked: unknown[]): Look
}

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>

/** What interactions work with. */
export interface InteractionParts {
  account: Account
  provider: Provider
  /** 32 bytes of the account's. */
  secret: Buffer
  /** Path of the issuer. */
  mount: string
  contacts: ContactStore
  consents: ConsentStore
  credentials: Credentials
  audit: AuditStore
  throttle: Throttle
}

/**
 * The steps of a sign-in between an app's request and its answer: who are you, and may the app know. All of it is in the store, so any
 * replica can go on where another stopped.
 */
export class Interactions {
  readonly #parts: InteractionParts

  constructor(parts: InteractionParts) {
    this.#parts = parts
  }

  /** Answers a request below `/interaction/<uid>`. */
  async answer(
    ctx: KoaContextWithOIDC,
    uid: string,
    form: URLSearchParams | undefined,
    person: Person,
  ): Promise<HtmlPage | undefined> {
    const { provider } = this.#parts
    let look: Look | undefined
    try {
      const interaction = await provider.interactionDetails(ctx.req, ctx.res)
      const client = await provider.Client.find(String(interaction.params.client_id))
      const step = new Step(this.#parts, ctx, interaction, person, client)
      look = step.look
      if (interaction.uid !== uid) return errorPage(look, 400, 'error_expired')
      return await (form ? step.take(form) : step.show())
    } catch (error) {
      // Over, or brought to its end meanwhile by another answer to the same page: a button that was clicked twice.
      if (error instanceof errors.SessionNotFound) return errorPage(look ?? person.look(), 400, 'error_expired')
      throw error
    }
  }
}

/** One request of one interaction. */
class Step {
  readonly #parts: InteractionParts
  readonly #ctx: KoaContextWithOIDC
  readonly #interaction: Interaction
  readonly #address: string
  readonly #browser: KnownBrowser
  readonly #form: Form
  readonly #app: string
  readonly look: Look

  /** `client` is the app, unless that is gone. */
  constructor(
    parts: InteractionParts,
    ctx: KoaContextWithOIDC,
    interaction: Interaction,
    person: Person,
    client: Client | undefined,
  ) {
    this.#parts = parts
    this.#ctx = ctx
    this.#interaction = interaction
    this.#address = person.address
    this.#browser = new KnownBrowser(ctx, parts.secret, parts.account.slug)
    this.#app = client?.clientName ?? ''
    const { locale, ui_locales } = interaction.params
    this.look = person.look(locale, ui_locales)
    this.#form = {
      action: `${parts.mount}/interaction/${interaction.uid}`,
      csrf: formToken(parts.secret, `interaction:${interaction.uid}`),
      // `form-action` also applies to redirects after the form: allow every registered origin.
      formTargets: originsOf(client?.redirectUris ?? []),
    }
  }

  /** The page for where the interaction stands. */
  async show(): Promise<HtmlPage> {
    if (this.#interaction.prompt.name === 'consent') return this.#showConsent()
    const { login_hint } = this.#interaction.params
    return this.#showLogin(typeof login_hint === 'string' ? login_hint.slice(0, 254) : '')
  }

  /** What a form of the page does. Undefined where it leads on: the answer is in the context then. */
  async take(form: URLSearchParams): Promise<HtmlPage | undefined> {
    if (!carries(form, this.#form.csrf)) return errorPage(this.look, 403, 'error_form')
    const isConsent = this.#interaction.prompt.name === 'consent'
    const step = form.get('step')
    if (isConsent && step === 'allow') return this.#allow()
    if (isConsent && step === 'deny')
      return this.#finish({ error: 'access_denied', error_description: 'the contact did not allow it' })
    if (isConsent && step === 'switch') return this.#startAgain()
    if (!isConsent && step === 'send_code') return this.#sendCode(textOf(form, 'email', 254).trim())
    if (!isConsent && step === 'code') return this.#logInByCode(form)
    if (!isConsent && step !== 'start') return this.#logInByPassword(form)
    return this.#leadTo(this.#form.action)
  }

  async #logInByPassword(form: URLSearchParams): Promise<HtmlPage | undefined> {
    const email = textOf(form, 'email', 254).trim()
    const password = textOf(form, 'password', 4_000)
    if (!email || !password) {
      const missing: Problems = { ...(!email && { email: 'required' }), ...(!password && { password: 'required' }) }
      return this.#showLogin(email, { ...missing, status: 422 })
    }
    return this.#logIn(
      email,
      'pwd',
      (problems) => this.#showLogin(email, problems),
      'wrong_login',
      (account_id, origin) => this.#parts.credentials.withPassword(account_id, email, password, origin),
    )
  }

  async #logInByCode(form: URLSearchParams): Promise<HtmlPage | undefined> {
    const email = textOf(form, 'email', 254).trim()
    const code = textOf(form, 'code', 20).trim()
    if (!email) return this.#showLogin('', { email: 'required', status: 422 })
    if (!code) return this.#showCode(email, { code: 'required', status: 422 })
    return this.#logIn(
      email,
      'otp',
      (problems) => this.#showCode(email, problems),
      'wrong_code',
      (account_id) => this.#parts.credentials.withCode(account_id, email, code, this.#signIn),
    )
  }

  /** Counts the try, judges it, and leads on; a page that says what was wrong otherwise. Nobody learns whether an address is known. */
  async #logIn(
    email: string,
    method: 'pwd' | 'otp',
    again: (problems: Problems) => HtmlPage | Promise<HtmlPage>,
    wrong: 'wrong_login' | 'wrong_code',
    check: (account_id: string, origin: Origin) => ReturnType<Credentials['withPassword']>,
  ): Promise<HtmlPage | undefined> {
    const { account, throttle } = this.#parts
    // Apart for each method: who guesses passwords keeps nobody from signing in with a code.
    const counted = await this.#counted('login', `${method}:${foldEmail(email)}`, email)
    try {
      for (const [what, whose] of counted) await throttle.count(account._id, what, whose)
    } catch (error) {
      if (error instanceof TooMany) return tooManyTries(again, error)
      throw error
    }
    const contact = await check(account._id, this.#origin)
    if (!contact) return again({ form: wrong, status: 422 })
    for (const [what, whose] of counted) await throttle.uncount(account._id, what, whose)
    this.#browser.remember(contact)
    await this.#endOther(contact._id)
    return this.#finish({ login: { accountId: contact._id, amr: [method], version: contact.version } as never }, false)
  }

  async #sendCode(email: string): Promise<HtmlPage> {
    if (!email) return this.#showLogin('', { email: 'required', status: 422 })
    const { account, credentials, throttle } = this.#parts
    try {
      for (const [what, whose] of await this.#counted('code', foldEmail(email), email)) {
        await throttle.count(account._id, what, whose)
      }
    } catch (error) {
      if (error instanceof TooMany) return tooManyTries((problems) => this.#showLogin(email, problems), error)
      throw error
    }
    credentials.requestCode(account, email, this.look.language, this.#signIn)
    return this.#showCode(email)
  }

  /** A session of somebody else ends before another contact signs in with this browser. */
  async #endOther(contact_id: string): Promise<void> {
    const { session } = this.#interaction
    if (!session || session.accountId === contact_id) return
    await this.#endSession(session.uid)
  }

  /** Ends the session that this interaction began in. The interaction goes on without one, also if this is the last thing that is done. */
  async #endSession(uid: string): Promise<void> {
    const { provider, audit, account } = this.#parts
    Object.assign(this.#interaction, { session: undefined })
    await this.#interaction.persist()
    const session = await provider.Session.findByUid(uid)
    if (!session) return
    await session.destroy()
    const { accountId: contact_id } = session
    if (contact_id)
      await audit.record({ account_id: account._id, kind: 'sign_out', contact_id, address: this.#address })
  }

  async #allow(): Promise<undefined> {
    const { provider, consents, account, audit } = this.#parts
    const { session, grantId, prompt } = this.#interaction
    const accountId = String(session?.accountId)
    const signedIn = session && (await provider.Session.findByUid(session.uid))
    // Another window may have got as far meanwhile.
    const last = signedIn?.grantIdFor(this.#clientId) ?? grantId
    const known = last ? await provider.Grant.find(last) : undefined
    const jti = nextGrantId(String(session?.uid), this.#clientId, last)
    const grant =
      known?.accountId === accountId
        ? known
        : new provider.Grant({ jti, accountId, clientId: this.#clientId } as object)
    const { missingOIDCScope = [], missingOIDCClaims = [] } = prompt.details as Record<string, string[] | undefined>
    if (missingOIDCScope.length > 0) grant.addOIDCScope(missingOIDCScope.join(' '))
    if (missingOIDCClaims.length > 0) grant.addOIDCClaims(missingOIDCClaims)
    await consents.add(account._id, accountId, this.#clientId, this.#scopes)
    await audit.record({
      account_id: account._id,
      kind: 'consent',
      contact_id: accountId,
      client_id: this.#clientId,
      address: this.#address,
    })
    return this.#finish({ consent: { grantId: await grant.save() } })
  }

  /** The same request once more, with nobody signed in. */
  async #startAgain(): Promise<undefined> {
    const { mount } = this.#parts
    const { session, params } = this.#interaction
    if (session) await this.#endSession(session.uid)
    await this.#interaction.destroy()
    const query = Object.entries(params).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []))
    return this.#leadTo(`${mount}${routes.authorization}?${new URLSearchParams(query)}`)
  }

  async #finish(result: Parameters<Provider['interactionResult']>[2], merge = true): Promise<undefined> {
    const { req, res } = this.#ctx
    const options = { mergeWithLastSubmission: merge }
    return this.#leadTo(await this.#parts.provider.interactionResult(req, res, result, options))
  }

  #leadTo(location: string): undefined {
    leadTo(this.#ctx, location)
  }

  async #showConsent(): Promise<HtmlPage> {
    const { contacts, account } = this.#parts
    const contact = await contacts.get(account._id, String(this.#interaction.session?.accountId))
    return consentPage(this.look, this.#form, { app: this.#app, email: contact?.email ?? '', scopes: this.#scopes })
  }

  #showLogin(email: string, problems?: Problems): HtmlPage {
    return loginPage(this.look, this.#form, this.#app, email, {
      sendsCodes: this.#parts.credentials.sendsMail,
      ...(problems && { problems }),
    })
  }

  #showCode(email: string, problems?: Problems): HtmlPage {
    return codePage(this.look, this.#form, { email, minutes: CODE_MINUTES }, problems)
  }

  /** What a try counts against, the narrowest first: what that refuses does not count further. */
  async #counted(what: 'login' | 'code', about: string, email: string): Promise<[Counted, string][]> {
    const { account, contacts } = this.#parts
    const contact = this.#browser.isKnown ? await contacts.findByEmail(account._id, email) : null
    const browser = contact && this.#browser.knows(contact)
    if (browser) return [[`${what}_browser`, `${about} ${browser}`]]
    const network = networkOf(this.#address)
    return [
      [`${what}_contact_address`, `${about} ${network}`],
      [`${what}_address`, network],
      [`${what}_contact`, about],
    ]
  }

  /** This sign-in: the codes that it asks for are good in it alone. */
  get #signIn(): SignIn {
    return { ...this.#origin, secret: this.#interaction.uid }
  }

  get #origin(): Origin {
    return { client_id: this.#clientId, address: this.#address }
  }

  get #clientId(): string {
    return String(this.#interaction.params.client_id)
  }

  get #scopes(): string[] {
    return String(this.#interaction.params.scope ?? '')
      .split(' ')
      .filter(Boolean)
  }
}

/** Answers with a redirect that no cache keeps. */
export function leadTo(ctx: KoaContextWithOIDC, location: string): void {
  ctx.status = 303
  ctx.set('location', location)
  ctx.set('cache-control', 'no-store')
  ctx.body = ''
}

function tooManyTries(
  again: (problems: Problems) => HtmlPage | Promise<HtmlPage>,
  { seconds }: TooMany,
): Promise<HtmlPage> {
  const problems: Problems = { form: 'too_many', places: { minutes: Math.ceil(seconds / 60) }, status: 429 }
  return Promise.resolve(again(problems)).then((page) => ({
    ...page,
    headers: { ...page.headers, 'retry-after': String(seconds) },
  }))
}

function textOf(form: URLSearchParams, name: string, most: number): string {
  return (form.get(name) ?? '').slice(0, most)
}
