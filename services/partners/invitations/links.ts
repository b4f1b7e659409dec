import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { DEFAULT_PUBLIC_URL, type LinkConfig } from '@gatehouse/proto/process/public-url.ts'

/**
 * The links of invitations. The secret in one is an HMAC of its invitation: nothing needs to be stored, and nobody can make one without the
 * system's key.
 */
export class InvitationLinks {
  readonly #base: string
  readonly #key: Buffer

  constructor({ public_url = DEFAULT_PUBLIC_URL, secrets_key }: LinkConfig) {
    this.#base = public_url.replace(/\/+$/, '')
    // A derived key: `secrets_key` itself encrypts stored secrets.
    this.#key = Buffer.from(hkdfSync('sha256', Buffer.from(secrets_key, 'base64'), '', 'invitation links', 32))
  }

  /** Where an invitee sees the invitation. */
  of(event_id: string, invitation_id: string): string {
    return `${this.#base}/rsvp/${invitation_id}/${this.#secretOf(event_id, invitation_id)}`
  }

  /** Where an invitee unsubscribes. */
  ofUnsubscribing(event_id: string, invitation_id: string): string {
    return `${this.of(event_id, invitation_id)}/unsubscribe`
  }

  /** Whether a secret is that of an invitation, compared in constant time. */
  isOf(secret: string, event_id: string, invitation_id: string): boolean {
    const [given, right] = [Buffer.from(secret), Buffer.from(this.#secretOf(event_id, invitation_id))]
    return given.length === right.length && timingSafeEqual(given, right)
  }

  #secretOf(event_id: string, invitation_id: string): string {
    const about = JSON.stringify([event_id, invitation_id])
    return createHmac('sha256', this.#key).update(about).digest('base64url')
  }
}
