import type { CounterName } from './resource.ts'

/** What one campaign has used of its quota, and what became of its e-mails. */
export interface Usage extends Record<CounterName, number> {
  /** Recipients who were accepted, without those whose e-mail failed for good before it was handed over. */
  reserved: number
  /** Recipients whose e-mail may or may not have been handed over. */
  unknown_recipients: number
}

/** How much a change adds to each number of a campaign. */
export type CounterChanges = Partial<Usage>

/** A change in work. It is written before any invitation changes, and goes in the update that counts what came of it. */
export type UsageNote = AcceptanceNote | LeaseNote | UnsubscriptionNote | FeedbackNote

/** Recipients are being accepted: `granted` are reserved. Their documents have its id as `reservation`, and its `at` as `created_at`. */
export interface AcceptanceNote {
  kind: 'acceptance'
  id: string
  campaign_id: string
  granted: number
  at: Date
}

/** Invitations are leased: those of `ids` whose documents have its id as `claim`. */
export interface LeaseNote {
  kind: 'claim'
  id: string
  ids: string[]
  /** The campaigns of the invitations. Absent in notes of an earlier version. */
  campaign_ids?: string[]
  /** Those whose sending has begun. */
  begun: string[]
  /** Set while it ends: nothing begins any more. */
  closed?: true
  at: Date
}

/** A recipient unsubscribes: it is counted if the invitation has its id as `unsubscription`. */
export interface UnsubscriptionNote {
  kind: 'unsubscription'
  id: string
  invitation_id: string
  at: Date
}

/** Something that was reported about the e-mail of an invitation; `bounced`: for good. */
export interface NotedEvent {
  invitation_id: string
  type: 'delivered' | 'bounced' | 'complained' | 'opened'
  reason: string | null
  occurred_at: Date
}

/** Events of e-mails are recorded: each is counted if its invitation has the note's id as `bounce`, `complaint` or `handed_over`. */
export interface FeedbackNote {
  kind: 'feedback'
  id: string
  events: NotedEvent[]
  at: Date
}

/** The part of a partner's document in which quotas are used and e-mails counted. Absent in partners who never had an invitation. */
export interface PartnerUsage {
  /** The sum of its campaigns', deleted ones included. */
  reserved?: number
  /** By the `_id` of a campaign. */
  usage?: Record<string, Usage>
  notes?: UsageNote[]
}
