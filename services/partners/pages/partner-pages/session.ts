import { createHmac } from 'node:crypto'
import type { LinkConfig } from '@gatehouse/proto/process/public-url.ts'
import { derivedKey, isSameSecret } from '@gatehouse/proto/storage/tokens.ts'
import { COOKIE } from './resource.ts'

/** How long a browser keeps the token: a working day. Each request looks the token up, so it may end earlier. */
const KEPT_SECONDS = 8 * 3_600

/** The addresses of partners' pages, and what a browser is given to stay on them. */
export class PartnerSessions {
  readonly #url: URL
  readonly #key: Buffer

  constructor({ public_url, secrets_key }: LinkConfig) {
    this.#url = new URL(`${public_url.replace(/\/+$/, '')}/partner`)
    this.#key = derivedKey(secrets_key, 'partner pages')
  }

  /** Where the holder of a token begins. */
  linkOf(token: string): string {
    return `${this.#url.href}/${token}`
  }

  /** The path of a campaign's pages, as browsers see it: two campaigns in one browser have a cookie each. */
  pathOf(partner_campaign_id: string): string {
    return `${this.#url.pathname}/${partner_campaign_id}`
  }

  /**
   * The `Set-Cookie` that holds a token. Lax, since the link is followed from an e-mail: a Strict cookie would not come along with the
   * redirect.
   */
  cookieOf(partner_campaign_id: string, token: string): string {
    const secure = this.#url.protocol === 'https:' ? '; Secure' : ''
    const path = this.pathOf(partner_campaign_id)
    return `${COOKIE}=${token}; Path=${path}; Max-Age=${KEPT_SECONDS}; HttpOnly; SameSite=Lax${secure}`
  }

  /** A hidden field that proves that a form comes from a page of this token. */
  csrfOf(token: string): string {
    return createHmac('sha256', this.#key).update(token).digest('base64url')
  }

  /** Whether a form carries its token, compared in constant time. */
  carries(given: string | undefined, token: string): boolean {
    return isSameSecret(given ?? '', this.csrfOf(token))
  }
}
