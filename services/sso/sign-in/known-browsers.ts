import { randomBytes } from 'node:crypto'
import { isSameSecret } from '@gatehouse/proto/storage/tokens.ts'
import type { KoaContextWithOIDC } from 'oidc-provider'
import { formToken } from './form-token.ts'

const KEPT_SECONDS = 90 * 86_400
/** Contacts that are remembered for one browser: the cookie stays small if many people share a machine. */
const MOST = 3

/** A contact that a browser has signed in. */
interface KnownContact {
  contact_id: string
  /** Version of the contact: a new password or a block makes the entry void. */
  version: number
  /** Seconds since 1970. */
  exp: number
}

interface BrowserCookie {
  /** Identifies the browser. */
  id: string
  contacts: KnownContact[]
}

/**
 * The contacts of an account that this browser has signed in before, from a cookie that the account signs. Wrong guesses by strangers do
 * not lock such a browser out. The cookie signs no contact in.
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

  /** The id of this browser if it has signed in this contact before; otherwise undefined. */
  knows({ _id, version }: { _id: string; version: number }): string | undefined {
    const { id, contacts } = this.#read()
    return contacts.some((known) => known.contact_id === _id && known.version === version) ? id : undefined
  }

  /** Whether this browser has signed in any contact before. */
  get isKnown(): boolean {
    return this.#read().contacts.length > 0
  }

  /** Remembers in the cookie that this browser signed in a contact. */
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
    if (!isSameSecret(signature, this.#sign(text))) return { id: randomBytes(16).toString('base64url'), contacts: [] }
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
