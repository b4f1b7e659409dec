import { changeOne } from '@gatehouse/proto/storage/documents.ts'
import type { Collection, Db } from 'mongodb'
import { dueOf, type InvitationKey, type StoredInvitation } from '../../delivery/invitations/store.ts'

const DUE = 'confirmation_due_1'

/** A confirmation that a mail process works on until a time. */
export interface ConfirmationLease extends InvitationKey {
  until: Date
}

/** The confirmations in the invitations collection. A lease is the time until which nobody else gets the confirmation. */
export class ConfirmationStore {
  readonly #invitations: Collection<StoredInvitation>

  constructor(db: Db) {
    this.#invitations = db.collection('invitations')
  }

  async prepare(): Promise<void> {
    const partialFilterExpression = { confirmation_due: { $exists: true } }
    await this.#invitations.createIndex({ confirmation_due: 1 }, { name: DUE, partialFilterExpression })
  }

  /** Invitations of all events whose confirmations are due, oldest first. */
  async due(limit: number): Promise<StoredInvitation[]> {
    const waiting = this.#invitations.find({ confirmation_due: { $exists: true } }, { hint: DUE })
    return dueOf(waiting.sort({ confirmation_due: 1 }).limit(limit), 'confirmation_due')
  }

  /** Leases a due confirmation until a time. Returns the invitation as it is then; null if another process was faster. */
  async lease({ _id, event_id, confirmation_due }: StoredInvitation, until: Date): Promise<StoredInvitation | null> {
    if (!confirmation_due) return null
    return changeOne(this.#invitations, { _id, event_id, confirmation_due }, { $set: { confirmation_due: until } })
  }

  /** The invitation of a lease; null if the lease has ended. */
  async leased({ _id, event_id, until }: ConfirmationLease): Promise<StoredInvitation | null> {
    return this.#invitations.findOne({ _id, event_id, confirmation_due: until })
  }

  /** Ends a confirmation; `confirmed_at` is when the mail server took it, if it did. */
  async end({ _id, event_id, until }: ConfirmationLease, confirmed_at: Date | null): Promise<void> {
    await this.#invitations.updateOne(
      { _id, event_id, confirmation_due: until },
      { $unset: { confirmation_due: 1 }, ...(confirmed_at && { $set: { confirmed_at } }) },
    )
  }

  /** Lets a leased confirmation wait; `isAttempt` counts that the mail server did not take it. */
  async postpone({ _id, event_id, until }: ConfirmationLease, due: Date, isAttempt: boolean): Promise<void> {
    await this.#invitations.updateOne(
      { _id, event_id, confirmation_due: until },
      { $set: { confirmation_due: due }, ...(isAttempt && { $inc: { confirmation_attempts: 1 } }) },
    )
  }
}
