import { isObject } from '@gatehouse/proto/formats/json-reader.ts'
import type { Issuers } from '../issuers.ts'
import { consoleCookieName, cookieIn, sessionIdIn } from './resource.ts'

/** How long a sign-in may take, in seconds: as long as a step of single sign-on (oidc/provider.ts). */
const SIGN_IN_SECONDS = 3_600

/** A sign-in that the browser has begun. */
export interface BegunSignIn {
  /** The account's slug. */
  account: string
  state: string
  /** Of PKCE. */
  verifier: string
  /** Where to go afterwards. */
  to: string
}

/** The cookies of the console. */
export class ConsoleCookies {
  readonly #isSecure: boolean
  /** The path of the console, as browsers see it; `/` where no other host can set its cookies. */
  readonly #path: string
  readonly #seconds: number

  constructor({ isSecure, console }: Issuers, hours: number) {
    this.#isSecure = isSecure
    this.#path = isSecure ? '/' : new URL(console).pathname
    this.#seconds = hours * 3_600
  }

  /** The id of the session that a request has. */
  session(header: string | undefined): string | undefined {
    return sessionIdIn(header, consoleCookieName(this.#isSecure))
  }

  /** The `Set-Cookie` that begins a session. Strict: only the console's own pages need it, once they are open. */
  setSession(id: string): string {
    return this.#cookie(consoleCookieName(this.#isSecure), id, this.#path, 'Strict', this.#seconds)
  }

  /** The `Set-Cookie` that ends a session. */
  endSession(): string {
    return this.#cookie(consoleCookieName(this.#isSecure), '', this.#path, 'Strict', 0)
  }

  /** The sign-in that the browser has begun; undefined if it has begun none. */
  signIn(header: string | undefined): BegunSignIn | undefined {
    const text = cookieIn(header, this.#signInName)
    try {
      const begun = JSON.parse(Buffer.from(text ?? '', 'base64url').toString()) as unknown
      const isWhole = isObject(begun) && fields.every((name) => typeof begun[name] === 'string')
      return isWhole ? (begun as unknown as BegunSignIn) : undefined
    } catch {
      return undefined
    }
  }

  /** The `Set-Cookie` that binds a sign-in to the browser. Lax: the callback may be reached from the account's own host. */
  setSignIn(begun: BegunSignIn): string {
    const text = Buffer.from(JSON.stringify(begun)).toString('base64url')
    return this.#cookie(this.#signInName, text, '/', 'Lax', SIGN_IN_SECONDS)
  }

  /** The `Set-Cookie` that ends a sign-in. */
  endSignIn(): string {
    return this.#cookie(this.#signInName, '', '/', 'Lax', 0)
  }

  get #signInName(): string {
    return `${this.#isSecure ? '__Host-' : ''}console-sign-in`
  }

  #cookie(name: string, value: string, path: string, sameSite: 'Strict' | 'Lax', seconds: number): string {
    const secure = this.#isSecure ? '; Secure' : ''
    return `${name}=${value}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=${sameSite}${secure}`
  }
}

const fields = ['account', 'state', 'verifier', 'to'] as const
