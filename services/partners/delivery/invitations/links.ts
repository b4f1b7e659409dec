import { createHmac } from 'node:crypto'
import type { LinkConfig } from '@gatehouse/proto/process/public-url.ts'
import { derivedKey, isSameSecret } from '@gatehouse/proto/storage/tokens.ts'

/** No invitation has this `_id`: its links lead to the page for addresses that belong to none. */
export const NO_INVITATION = '0'.repeat(24)

/**
 * The links of invitations. The secret in one is an HMAC of its invitation: nothing needs to be stored, and nobody can make one without the
 * system's key.
 */
export class InvitationLinks {
  readonly #base: string
  readonly #key: Buffer

  constructor({ public_url, secrets_key }: LinkConfig) {
    this.#base = public_url.replace(/\/+$/, '')
    this.#key = derivedKey(secrets_key, 'invitation links')
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
    return isSameSecret(secret, this.#secretOf(event_id, invitation_id))
  }

  #secretOf(event_id: string, invitation_id: string): string {
    const about = JSON.stringify([event_id, invitation_id])
    return createHmac('sha256', this.#key).update(about).digest('base64url')
  }
}
