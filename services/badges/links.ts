import { createHmac } from 'node:crypto'
import type { LinkConfig } from '@gatehouse/proto/process/public-url.ts'
import { derivedKey, isSameSecret } from '@gatehouse/proto/storage/tokens.ts'

/** The target of a public link. */
export type Purpose = 'qrcode' | 'badge' | 'wallet'

const SUFFIX: Record<Purpose, string> = { qrcode: 'png', badge: 'pdf', wallet: 'pkpass' }

/**
 * Public links: anyone who knows one may open it. Its secret is an HMAC of its target, so nothing needs to be stored, and links cannot be
 * made without the system's key.
 */
export class PublicLinks {
  readonly #base: string
  readonly #key: Buffer

  constructor({ public_url, secrets_key }: LinkConfig) {
    this.#base = public_url.replace(/\/+$/, '')
    this.#key = derivedKey(secrets_key, 'public links')
  }

  /** The address of a guest's QR code (PNG; also with `.svg`), the one that redirects to the badge, or that of the pass for Apple Wallet. */
  of(purpose: Purpose, event_id: string, guest_id: string): string {
    return `${this.#pathOf(purpose, event_id, guest_id)}.${SUFFIX[purpose]}`
  }

  /** The address of a guest's badge itself (PDF), in ASCII. */
  ofBadgeFile(event_id: string, guest_id: string): string {
    return new URL(`${this.#pathOf('badge', event_id, guest_id)}/file.${SUFFIX.badge}`).href
  }

  /** The address that redirects to Google Wallet with a guest's pass. */
  ofGooglePass(event_id: string, guest_id: string): string {
    return `${this.#base}/api/v1/wallet/${event_id}/google/${guest_id}/${this.secretOf('wallet', event_id, guest_id)}`
  }

  /** The address of a guest's file. Opening it needs an auth_token. */
  ofFile(event_id: string, guest_id: string, key: string, suffix: string): string {
    return `${this.#base}/api/v1/events/${event_id}/guests/${guest_id}/files/${encodeURIComponent(key)}.${suffix}`
  }

  /** The secret in a link. */
  secretOf(purpose: Purpose, event_id: string, guest_id: string): string {
    return createHmac('sha256', this.#key)
      .update(JSON.stringify([purpose, event_id, guest_id]))
      .digest('base64url')
  }

  /** Whether `secret` is the one in the link, compared in constant time. */
  holds(secret: string, purpose: Purpose, event_id: string, guest_id: string): boolean {
    return isSameSecret(secret, this.secretOf(purpose, event_id, guest_id))
  }

  #pathOf(purpose: Purpose, event_id: string, guest_id: string): string {
    const secret = this.secretOf(purpose, event_id, guest_id)
    return `${this.#base}/api/v1/events/${event_id}/guests/${guest_id}/${purpose}/${secret}`
  }
}
