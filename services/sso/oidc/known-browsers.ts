import { randomBytes } from 'node:crypto'
import type { KoaContextWithOIDC } from 'oidc-provider'
import { formToken, isSame } from './form-token.ts'

const KEPT_SECONDS = 90 * 86_400
/** Contacts of one browser that are remembered, so that the cookie stays small where many share a machine. */
const MOST = 3

/** A contact that a browser signed in. */
interface Known {
  contact_id: string
  /** The contact's, so that a new password or a block makes it void. */
  version: number
  /** Seconds since 1970. */
  exp: number
}

interface BrowserCookie {
  /** Tells this browser from others. */
  id: string
  contacts: Known[]
}

/**
 * Which contacts of an account this browser has signed in before, by a cookie that the account signs: strangers who guess at a contact do
 * not keep it out. It signs nobody in.
 */
export class KnownBrowser {
  readonly #ctx: KoaContextWithOIDC
  readonly #secret: Buffer
  readonly #name: string

  /** `secret` is the account's. */
  constructor(ctx: KoaContextWithOIDC, secret: Buffer, slug: string) {
    this.#ctx = ctx
    this.#secret = secret
    this.#name = `${ctx.secure ? '__Host-' : ''}known-${slug}`
  }

  /** An id of this browser, where it has signed in this contact before; undefined otherwise. */
  knows({ _id, version }: { _id: string; version: number }): string | undefined {
    const { id, contacts } = this.#read()
    return contacts.some((known) => known.contact_id === _id && known.version === version) ? id : undefined
  }

  /** Whether it has signed in any contact before. */
  get isKnown(): boolean {
    return this.#read().contacts.length > 0
  }

  /** Remembers that it signed in a contact. */
  remember({ _id, version }: { _id: string; version: number }): void {
    const { id, contacts } = this.#read()
    const others = contacts.filter(({ contact_id }) => contact_id !== _id)
    const known = [{ contact_id: _id, version, exp: now() + KEPT_SECONDS }, ...others].slice(0, MOST)
    const text = Buffer.from(JSON.stringify({ id, contacts: known })).toString('base64url')
    const options = { httpOnly: true, sameSite: 'lax', path: '/', signed: false, maxAge: KEPT_SECONDS * 1000 } as const
    this.#ctx.cookies.set(this.#name, `${text}.${this.#sign(text)}`, options)
  }

  #read(): BrowserCookie {
    const [text = '', signature = ''] = (this.#ctx.cookies.get(this.#name, { signed: false }) ?? '').split('.')
    if (!isSame(signature, this.#sign(text))) return { id: randomBytes(16).toString('base64url'), contacts: [] }
    const { id, contacts } = JSON.parse(Buffer.from(text, 'base64url').toString()) as BrowserCookie
    return { id, contacts: contacts.filter(({ exp }) => exp > now()) }
  }

  #sign(text: string): string {
    return formToken(this.#secret, `known-browser:${text}`)
  }
}

function now(): number {
  return Math.floor(Date.now() / 1000)
}
