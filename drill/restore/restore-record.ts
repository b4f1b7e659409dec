import type { InvitingCampaign } from '../mail/campaigns.ts'
import { MailRecord } from '../mail/mail-record.ts'
import { now } from '../record.ts'

/** A lead or a signature that was answered. */
export interface Collected {
  kind: 'lead' | 'signature'
  _id: string
  /** When it was answered, in ms since the start. */
  at: number
}

/** When what happened, in ms since the start. */
export interface Moments {
  /** When the backup began, and ended. */
  begun: number
  ended: number
  /** When everything began to be killed, and when nothing ran any more. */
  dying: number
  killed: number
  /** When the restored system served. */
  back: number
}

/** All requests and answers of a drill that restores a backup. */
export class RestoreRecord extends MailRecord {
  readonly collected: Collected[] = []
  /** How many deliveries the webhook had got a few seconds before the backup began, and when everything was killed. */
  readonly delivered = { settled: 0, killed: 0 }
  /** When each accepted invitation was answered first, by its `_id`. */
  readonly acceptedAt = new Map<string, number>()

  override told(campaign: InvitingCampaign, address: string, invitation: string | null): void {
    super.told(campaign, address, invitation)
    if (invitation && !this.acceptedAt.has(invitation)) this.acceptedAt.set(invitation, now())
  }
}
