import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { text } from '@gatehouse/proto/declaring/fields.ts'

const DEFAULT_PUBLIC_URL = 'http://127.0.0.1:8080'

/** The settings of a service that gives out public links, besides `sealedSettings`. */
export const linkSettings = {
  public_url: text({
    default: DEFAULT_PUBLIC_URL,
    pattern: '^https?://[^\\s?#]+$',
    maxLength: 2_000,
    description: 'Where the gateway is reached from outside: public links begin with it',
  }),
}

/** Those settings, as read. */
export interface LinkConfig {
  public_url?: string
  secrets_key: string
}

/** What a public link leads to. */
export type Purpose = 'qrcode' | 'badge'

const SUFFIX: Record<Purpose, string> = { qrcode: 'png', badge: 'pdf' }

/**
 * Addresses that whoever knows them may open. The secret in one is an HMAC of what it leads to, so that nothing has to be stored, and
 * nobody can make one without the system's key.
 */
export class PublicLinks {
  readonly #base: string
  readonly #key: Buffer

  constructor({ public_url = DEFAULT_PUBLIC_URL, secrets_key }: LinkConfig) {
    this.#base = public_url.replace(/\/+$/, '')
    // A key of its own: what is sealed under `secrets_key` and what is signed here have nothing to do with each other.
    this.#key = Buffer.from(hkdfSync('sha256', Buffer.from(secrets_key, 'base64'), '', 'public links', 32))
  }

  /** The address of a guest's QR code (PNG; the same with `.svg`), or the one that leads to its badge. */
  of(purpose: Purpose, event_id: string, guest_id: string): string {
    return `${this.#pathOf(purpose, event_id, guest_id)}.${SUFFIX[purpose]}`
  }

  /** The address of a guest's badge itself (PDF), in ASCII. */
  ofBadgeFile(event_id: string, guest_id: string): string {
    return new URL(`${this.#pathOf('badge', event_id, guest_id)}/file.${SUFFIX.badge}`).href
  }

  /** The address of a guest's file, which an auth_token opens. */
  ofFile(event_id: string, guest_id: string, key: string, suffix: string): string {
    return `${this.#base}/api/v1/events/${event_id}/guests/${guest_id}/files/${encodeURIComponent(key)}.${suffix}`
  }

  /** Whether `secret` is the one in the link, compared in constant time. */
  holds(secret: string, purpose: Purpose, event_id: string, guest_id: string): boolean {
    const right = this.#secret(purpose, event_id, guest_id)
    const given = Buffer.from(secret, 'base64url')
    return given.length === right.length && timingSafeEqual(given, right)
  }

  #pathOf(purpose: Purpose, event_id: string, guest_id: string): string {
    const secret = this.#secret(purpose, event_id, guest_id).toString('base64url')
    return `${this.#base}/api/v1/events/${event_id}/guests/${guest_id}/${purpose}/${secret}`
  }

  #secret(purpose: Purpose, event_id: string, guest_id: string): Buffer {
    return createHmac('sha256', this.#key)
      .update(JSON.stringify([purpose, event_id, guest_id]))
      .digest()
  }
}
