import { changeOne } from '@gatehouse/proto/storage/documents.ts'
import { tracedBy } from '@gatehouse/proto/telemetry/tracing.ts'
import type { Collection, Db } from 'mongodb'
import type { Registration } from '../../pages/registrations/registration.ts'
import { dueOf, type GivenAnswer, type InvitationKey, type StoredInvitation } from './store.ts'

const ANSWERED = 'answer_due_1'
/** Answers that one run of the maintenance handles. */
const ANSWERS_AT_ONCE = 100

/** The next version of an answer, in an update by a pipeline. */
export const NEXT_VERSION = { $add: [{ $ifNull: ['$answer_version', 0] }, 1] }

/** Whom nothing keeps out but the organizer: who registered on a page has to get places again after a rejection. */
const HAS_PLACE = { $or: [{ guest_category_id: { $exists: false } }, { places: { $exists: true } }] }

/** The answers in the invitations collection. Each change of one is a single update, and counts its versions. */
export class AnswerStore {
  readonly #invitations: Collection<StoredInvitation>

  constructor(db: Db) {
    this.#invitations = db.collection('invitations')
  }

  async prepare(): Promise<void> {
    const partialFilterExpression = { answer_due: { $exists: true } }
    await this.#invitations.createIndex({ answer_due: 1 }, { name: ANSWERED, partialFilterExpression })
  }

  /**
   * Stores an acceptance; the same once more changes nothing, and neither does one that the organizer has rejected. Where registrations are
   * moderated it waits for the organizer, unless it was approved before or the guest is there already. Returns the invitation if this changed it.
   */
  async accept(
    { event_id, _id }: InvitationKey,
    registration: Registration,
    isModerated: boolean,
  ): Promise<StoredInvitation | null> {
    const now = new Date()
    const isKnown = { $or: [{ $eq: ['$registration_state', 'approved'] }, { $eq: ['$has_guest', true] }] }
    const current = { $ifNull: ['$registration_state', '$$REMOVE'] }
    return changeOne(
      this.#invitations,
      {
        _id,
        event_id,
        state: { $ne: 'pending' },
        answer: { $ne: 'accepted' },
        registration_state: { $ne: 'rejected' },
      },
      [
        {
          $set: {
            answer: 'accepted',
            answer_due: now,
            updated_at: now,
            answer_version: NEXT_VERSION,
            registration: { $literal: registration },
            registered_at: now,
            ...(isModerated && { registration_state: { $cond: [isKnown, current, 'pending'] } }),
          },
        },
      ],
    )
  }

  /** Stores a refusal; the same once more changes nothing. A registration waits for the organizer no longer. */
  async decline({ event_id, _id }: InvitationKey): Promise<void> {
    const now = new Date()
    const current = { $ifNull: ['$registration_state', '$$REMOVE'] }
    await this.#invitations.updateOne({ _id, event_id, state: { $ne: 'pending' }, answer: { $ne: 'declined' } }, [
      {
        $set: {
          answer: 'declined',
          answer_due: now,
          updated_at: now,
          answer_version: NEXT_VERSION,
          registration_state: { $cond: [{ $eq: ['$registration_state', 'pending'] }, '$$REMOVE', current] },
          places: '$$REMOVE',
        },
      },
    ])
  }

  /** Stores that the organizer approves an acceptance that waits or was rejected. False if there is none. */
  async approve({ event_id, _id }: InvitationKey): Promise<boolean> {
    const now = new Date()
    const { matchedCount } = await this.#invitations.updateOne(
      { _id, event_id, answer: 'accepted', registration_state: { $in: ['pending', 'rejected'] }, ...HAS_PLACE },
      { $set: { registration_state: 'approved', answer_due: now, updated_at: now }, $inc: { answer_version: 1 } },
    )
    return matchedCount > 0
  }

  /** Stores that the organizer rejects an acceptance that waits. False if it does not wait. */
  async reject({ event_id, _id }: InvitationKey): Promise<boolean> {
    const { matchedCount } = await this.#invitations.updateOne(
      { _id, event_id, answer: 'accepted', registration_state: 'pending' },
      { $set: { registration_state: 'rejected', updated_at: new Date() }, $unset: { places: 1 } },
    )
    return matchedCount > 0
  }

  /** Lets a rejected acceptance wait again. False if it is not rejected. */
  async reopen({ event_id, _id }: InvitationKey): Promise<boolean> {
    const { matchedCount } = await this.#invitations.updateOne(
      { _id, event_id, answer: 'accepted', registration_state: 'rejected', ...HAS_PLACE },
      { $set: { registration_state: 'pending', updated_at: new Date() } },
    )
    return matchedCount > 0
  }

  /**
   * Notes that an attempt to let the guest follow begins. Returns the invitation as it is then; null if nothing is due. The note is renewed, so
   * that another process takes over if this one dies.
   */
  async begin({ event_id, _id }: InvitationKey, attempt: string): Promise<StoredInvitation | null> {
    const at = new Date()
    return changeOne(
      this.#invitations,
      { _id, event_id, answer_due: { $exists: true } },
      { $set: { answer_due: at }, $push: { following: { id: attempt, at } } },
    )
  }

  /**
   * Notes that the guest follows a version of the answer; null takes the answer back. False if another answer came between. While other
   * attempts run the answer stays due, since one may be late with an older version and then die; those from before `dead` are dead.
   */
  async end(
    { event_id, _id }: InvitationKey,
    { attempt, version, dead }: { attempt: string; version: number; dead: Date },
    answer: GivenAnswer | null,
  ): Promise<boolean> {
    const isRunning = { $and: [{ $ne: ['$$this.id', attempt] }, { $gt: ['$$this.at', dead] }] }
    const hasEnded = { $eq: [{ $size: '$following' }, 0] }
    const { matchedCount } = await this.#invitations.updateOne({ _id, event_id, answer_version: version }, [
      {
        $set: {
          answer: { $literal: answer },
          following: { $filter: { input: { $ifNull: ['$following', []] }, cond: isRunning } },
        },
      },
      { $set: { answer_due: { $cond: [hasEnded, '$$REMOVE', { $ifNull: ['$answer_due', '$$REMOVE'] }] } } },
      { $set: { following: { $cond: [hasEnded, '$$REMOVE', '$following'] } } },
      ...(answer === null ? [{ $unset: ['registration_state', 'registration', 'places'] }] : []),
    ])
    return matchedCount > 0
  }

  /** Notes that an invitation's guest was made, and that this is to be confirmed by e-mail, unless it is noted already. */
  async noteGuest({ event_id, _id }: InvitationKey, isConfirmed: boolean): Promise<void> {
    await this.#invitations.updateOne(
      { _id, event_id, has_guest: { $exists: false } },
      { $set: { has_guest: true, ...(isConfirmed && dueNow()) } },
    )
  }

  /** Notes that a confirmation is due again that did not go out because its recipient had declined. Returns whether there is one. */
  async confirmAgain({ event_id, _id }: InvitationKey): Promise<boolean> {
    const isMissing = { $exists: false }
    const { matchedCount } = await this.#invitations.updateOne(
      { _id, event_id, confirmation_since: { $exists: true }, confirmation_due: isMissing, confirmed_at: isMissing },
      { $set: dueNow() },
    )
    return matchedCount > 0
  }

  /** Invitations of all events that were answered before a time, and whose guests do not follow yet. */
  async answeredBefore(time: Date): Promise<StoredInvitation[]> {
    const answered = this.#invitations.find({ answer_due: { $exists: true } }, { hint: ANSWERED })
    return dueOf(answered.sort({ answer_due: 1 }).limit(ANSWERS_AT_ONCE), 'answer_due', time)
  }
}

/** What makes an e-mail of the confirmations due. */
export function dueNow(): Pick<
  StoredInvitation,
  'confirmation_due' | 'confirmation_since' | 'confirmation_traceparent'
> {
  const now = new Date()
  return { confirmation_due: now, confirmation_since: now, confirmation_traceparent: tracedBy() ?? null }
}
