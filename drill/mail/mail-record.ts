import { Record } from '../record.ts'
import type { InvitingCampaign } from './campaigns.ts'

/** A time in which a partner may send no e-mails: from the answer until the request that ends it, in ms since the start. */
export interface Halt {
  partner: string
  from: number
  to: number
  /** How often the requests of the partner were sent: what a first try does may come later. */
  tried: number
}

/** An address to which no e-mails may be sent any more, and since when. */
export interface Stop {
  why: 'blocked' | 'unsubscribed'
  address: string
  /** When it was answered, in ms since the start. */
  at: number
}

/** A recipient's acceptance of an invitation, whose guest has this name. */
export interface AcceptedInvitation {
  address: string
  last_name: string
}

/** All requests and answers of a drill with e-mails. */
export class MailRecord extends Record {
  /** What partners were answered about each recipient: the invitation, or null for one beyond a quota. By campaign and address. */
  readonly answers = new Map<string, Map<string, string | null>>()
  /** Answered acceptances of recipients, by invitation. */
  readonly acceptances = new Map<string, AcceptedInvitation>()
  readonly halts: Halt[] = []
  readonly stops: Stop[] = []
  batches = 0
  repeats = 0

  /** Notes what a batch was answered about a recipient. */
  told({ id: campaign, name }: InvitingCampaign, address: string, invitation: string | null): void {
    const ofCampaign = this.answers.get(campaign) ?? new Map<string, string | null>()
    this.answers.set(campaign, ofCampaign)
    const before = ofCampaign.get(address)
    if (before && before !== invitation) {
      this.violation('accounted', 'an accepted recipient is answered otherwise later', [
        `${address} of ${name}: first ${before}, then ${invitation ?? 'beyond the quota'}`,
      ])
    }
    // A place may be given back between two attempts.
    if (!before) ofCampaign.set(address, invitation)
  }

  /** Recipients who were accepted. */
  get accepted(): number {
    return [...this.answers.values()].reduce((sum, each) => sum + [...each.values()].filter(Boolean).length, 0)
  }
}
