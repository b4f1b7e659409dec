import type { Collection, Db, Document } from 'mongodb'
import type { FeedbackNote, NotedEvent } from '../../campaigns/partners/usage.ts'
import { GRAVEST, type StoredInvitation } from '../../delivery/invitations/store.ts'

/** What was reported about the e-mails of invitations, in their documents. */
export class MailEventStore {
  readonly #invitations: Collection<StoredInvitation>

  constructor(db: Db, collection = 'invitations') {
    this.#invitations = db.collection(collection)
  }

  /** Invitations of any event by their `_id`s, without pending ones. */
  async withIds(ids: readonly string[]): Promise<StoredInvitation[]> {
    return this.#invitations.find({ _id: { $in: [...ids] }, state: { $ne: 'pending' } }, { hint: '_id_' }).toArray()
  }

  /** Records noted events in their invitations. What was recorded under another note, or under this one before, stays. Returns the invitations. */
  async record(event_id: string, { id, events }: FeedbackNote): Promise<StoredInvitation[]> {
    const ids = [...new Set(events.map(({ invitation_id }) => invitation_id))]
    await this.#invitations.bulkWrite(
      events.map((event) => ({
        updateOne: {
          filter: { _id: event.invitation_id, event_id, state: { $ne: 'pending' } },
          update: recording(event, id),
        },
      })),
    )
    return this.#invitations.find({ _id: { $in: ids }, event_id }, { hint: '_id_' }).toArray()
  }

  /** Keeps the reason of a soft bounce, if it has one, unless something graver was reported. */
  async noteSoftBounce({ _id, event_id }: StoredInvitation, reason: string | null): Promise<void> {
    if (reason === null) return
    await this.#invitations.updateOne(
      { _id, event_id, bounce: { $exists: false }, complaint: { $exists: false } },
      { $set: { reason, feedback_reason: reason, updated_at: new Date() } },
    )
  }
}

/** The update that records an event. Every event proves that the mail server had taken the e-mail. */
function recording({ type, reason, occurred_at }: NotedEvent, note: string): Document[] {
  const first = (field: string): Document => ({ $ifNull: [`$${field}`, note] })
  const unlessKnown = (field: string): Document => ({
    [field]: first(field),
    ...(reason !== null && {
      feedback_reason: {
        $cond: [{ $gt: [`$${field}`, null] }, { $ifNull: ['$feedback_reason', null] }, { $literal: reason }],
      },
    }),
  })
  return [
    {
      $set: {
        handed_over: first('handed_over'),
        ...(type === 'bounced' && unlessKnown('bounce')),
        ...(type === 'complained' && unlessKnown('complaint')),
        ...(type === 'opened' && { opened_at: { $min: ['$opened_at', occurred_at] } }),
        updated_at: new Date(),
      },
    },
    {
      $set: {
        reason: { $ifNull: ['$feedback_reason', '$reason'] },
        sent_at: { $cond: [{ $eq: ['$outcome', 'unknown'] }, { $ifNull: ['$sent_at', occurred_at] }, '$sent_at'] },
        state: GRAVEST,
      },
    },
  ]
}
