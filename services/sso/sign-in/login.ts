import type { HtmlPage } from '@gatehouse/proto/pages/layout.ts'
import { networkOf } from '@gatehouse/proto/process/network.ts'
import { foldEmail } from '../api/contacts/email.ts'
import type { StoredContact } from '../api/contacts/store.ts'
import { CODE_MINUTES } from '../credentials/codes.ts'
import type { Origin, SignIn } from '../credentials/credentials.ts'
import { type LimitName, TooManyAttempts } from '../throttle.ts'
import { KnownBrowser } from './known-browsers.ts'
import { codePage, loginPage, type Problems } from './pages/pages.ts'
import { SignInStep } from './step.ts'

const MAX_EMAIL = 254
const MAX_PASSKEY = 16_000

/** A way of signing in. */
interface SignInMethod {
  /** As in the claim `amr`. */
  name: 'pwd' | 'otp' | 'pop'
  /** The text for wrong credentials. */
  wrong: 'wrong_login' | 'wrong_code' | 'wrong_passkey'
  /** The page with problems. */
  show(problems: Problems): HtmlPage
  /** Returns the contact if the credentials are right. */
  check(account_id: string): Promise<StoredContact | undefined>
}

/** The step in which a contact signs in, with a password, a passkey or a code by e-mail. No answer reveals whether an address is known. */
export class LoginStep extends SignInStep {
  async show(): Promise<HtmlPage> {
    const { login_hint } = this.context.interaction.params
    return this.#showLogin(typeof login_hint === 'string' ? login_hint.slice(0, MAX_EMAIL) : '')
  }

  async take(form: URLSearchParams): Promise<HtmlPage | undefined> {
    const step = form.get('step')
    if (step === 'start') return this.redirect(this.context.form.action)
    const email = textOf(form, 'email', MAX_EMAIL).trim()
    if (step === 'send_code') return this.#sendCode(email, form.has('code'))
    if (step === 'passkey_options' && this.#hasPasskeys) return this.#challenge()
    if (step === 'passkey' && this.#hasPasskeys) return this.#logInByPasskey(form)
    return step === 'code' ? this.#logInByCode(email, form) : this.#logInByPassword(email, form)
  }

  async #logInByPassword(email: string, form: URLSearchParams): Promise<HtmlPage | undefined> {
    const password = textOf(form, 'password', 4_000)
    if (!email || !password) {
      const missing: Problems = { ...(!email && { email: 'required' }), ...(!password && { password: 'required' }) }
      return this.#showLogin(email, { ...missing, status: 422 })
    }
    const { credentials } = this.context.dependencies
    return this.#logIn(email, {
      name: 'pwd',
      wrong: 'wrong_login',
      show: (problems) => this.#showLogin(email, problems),
      check: (account_id) => credentials.withPassword(account_id, email, password, this.#origin),
    })
  }

  async #logInByCode(email: string, form: URLSearchParams): Promise<HtmlPage | undefined> {
    const code = textOf(form, 'code', 20).trim()
    if (!email) return this.#showLogin('', { email: 'required', status: 422 })
    if (!code) return this.#showCode(email, { code: 'required', status: 422 })
    const { credentials } = this.context.dependencies
    return this.#logIn(email, {
      name: 'otp',
      wrong: 'wrong_code',
      show: (problems) => this.#showCode(email, problems),
      check: (account_id) => credentials.withCode(account_id, email, code, this.#signIn),
    })
  }

  /** A passkey says itself whose it is. */
  async #logInByPasskey(form: URLSearchParams): Promise<HtmlPage | undefined> {
    const { credentials, passkeys } = this.context.dependencies
    const answer = textOf(form, 'passkey', MAX_PASSKEY)
    return this.#logInCounted([['login_address', networkOf(this.context.address)]], {
      name: 'pop',
      wrong: 'wrong_passkey',
      show: (problems) => this.#showLogin('', problems),
      check: async (account_id) => {
        const passkey = await passkeys.signed(account_id, answer, this.#passkeyChallenge)
        return credentials.withPasskey(account_id, passkey, this.#origin)
      },
    })
  }

  /** What the page's script has a passkey sign. */
  async #challenge(): Promise<HtmlPage> {
    const body = JSON.stringify(await this.context.dependencies.passkeys.signIn(this.#passkeyChallenge))
    return { status: 200, headers: { 'content-type': 'application/json', 'cache-control': 'no-store' }, body }
  }

  /** What challenges of this sign-in are bound to, of which only this browser has the cookie. */
  get #passkeyChallenge(): string {
    return `interaction:${this.context.interaction.uid}`
  }

  get #hasPasskeys(): boolean {
    const { passkeys, provider } = this.context.dependencies
    return passkeys.areAt(provider.issuer)
  }

  /** Counts the try, checks the credentials, and redirects or shows what is wrong. */
  async #logIn(email: string, method: SignInMethod): Promise<HtmlPage | undefined> {
    const { name } = method
    // Counted separately for each method: guessed passwords do not keep a contact from signing in with a code.
    const counted = await this.#counted('login', `${name}:${foldEmail(email)}`, email)
    return this.#logInCounted(counted, method)
  }

  async #logInCounted(
    counted: [LimitName, string][],
    { name, wrong, show, check }: SignInMethod,
  ): Promise<HtmlPage | undefined> {
    const { account, throttle } = this.context.dependencies
    const refused = await this.#count(counted, show)
    if (refused) return refused
    const contact = await check(account._id)
    if (!contact) return show({ form: wrong, status: 422 })
    for (const [what, whose] of counted) await throttle.uncount(account._id, what, whose)
    this.#browser.remember(contact)
    await this.#endOther(contact._id)
    return this.finish({ login: { accountId: contact._id, amr: [name], version: contact.version } as never }, false)
  }

  /** Sends a code. Whoever asks for another one where codes are typed stays there if it is refused: the last one is still valid. */
  async #sendCode(email: string, isAnother: boolean): Promise<HtmlPage> {
    if (!email) return this.#showLogin('', { email: 'required', status: 422 })
    const { account, credentials } = this.context.dependencies
    const counted = await this.#counted('code', foldEmail(email), email)
    const refused = await this.#count(counted, (problems) =>
      isAnother ? this.#showCode(email, problems) : this.#showLogin(email, problems),
    )
    if (refused) return refused
    credentials.requestCode(account, email, this.context.branding.language, this.#signIn)
    return this.#showCode(email)
  }

  /** Counts a try. Returns the page that refuses it if there were too many. */
  async #count(counted: [LimitName, string][], show: SignInMethod['show']): Promise<HtmlPage | undefined> {
    const { account, throttle } = this.context.dependencies
    try {
      for (const [what, whose] of counted) await throttle.count(account._id, what, whose)
      return undefined
    } catch (error) {
      if (!(error instanceof TooManyAttempts)) throw error
      const { seconds } = error
      const page = show({ form: 'too_many', places: { minutes: Math.ceil(seconds / 60) }, status: 429 })
      return { ...page, headers: { ...page.headers, 'retry-after': String(seconds) } }
    }
  }

  /** Ends the session of another contact in this browser. */
  async #endOther(contact_id: string): Promise<void> {
    const { session } = this.context.interaction
    if (session && session.accountId !== contact_id) await this.endSession(session.uid)
  }

  #showLogin(email: string, problems?: Problems): HtmlPage {
    const { branding, form, dependencies } = this.context
    const options = {
      sendsCodes: dependencies.credentials.sendsMail,
      hasPasskeys: this.#hasPasskeys,
      ...(problems && { problems }),
    }
    return loginPage(branding, form, this.app, email, options)
  }

  #showCode(email: string, problems?: Problems): HtmlPage {
    return codePage(this.context.branding, this.context.form, { email, minutes: CODE_MINUTES }, problems)
  }

  /** The counters of a try, the narrowest first: if one refuses the try, the others do not count it. */
  async #counted(what: 'login' | 'code', about: string, email: string): Promise<[LimitName, string][]> {
    const { account, contacts } = this.context.dependencies
    const browser = this.#browser
    const contact = browser.isKnown ? await contacts.findByEmail(account._id, email) : null
    const known = contact && browser.knows(contact)
    if (known) return [[`${what}_browser`, `${about} ${known}`]]
    const network = networkOf(this.context.address)
    return [
      [`${what}_contact_address`, `${about} ${network}`],
      [`${what}_address`, network],
      [`${what}_contact`, about],
    ]
  }

  get #browser(): KnownBrowser {
    const { ctx, dependencies } = this.context
    return new KnownBrowser(ctx, dependencies.secret, dependencies.account.slug)
  }

  /** This sign-in. Codes that it requests are valid in it only. */
  get #signIn(): SignIn {
    return { ...this.#origin, secret: this.context.interaction.uid }
  }

  get #origin(): Origin {
    return { client_id: this.clientId, address: this.context.address }
  }
}

function textOf(form: URLSearchParams, name: string, most: number): string {
  return (form.get(name) ?? '').slice(0, most)
}
