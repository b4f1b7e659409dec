import { changeOne, setFields } from '@gatehouse/proto/storage/documents.ts'
import type { Collection, Db } from 'mongodb'
import type { StoredCampaign } from '../../campaigns/partner-campaigns/store.ts'
import { BY_STATE, type StoredInvitation } from '../invitations/store.ts'

/** A campaign that is being paused, as its outbox entry has it. */
export type PlannedPause = Pick<StoredCampaign, '_id' | 'pause_id'>

/** Pauses in the documents of campaigns, and of the invitations that wait for their end. */
export class PauseStore {
  readonly #campaigns: Collection<StoredCampaign>
  readonly #invitations: Collection<StoredInvitation>

  constructor(db: Db, campaigns = 'partner_campaigns', invitations = 'invitations') {
    this.#campaigns = db.collection(campaigns)
    this.#invitations = db.collection(invitations)
  }

  /** Campaigns in any state by their `_id`s. */
  async withIds(event_id: string, ids: string[]): Promise<StoredCampaign[]> {
    return this.#campaigns.find({ _id: { $in: ids }, event_id }, { hint: '_id_' }).toArray()
  }

  /** Pauses a visible campaign. Returns it; null if it is paused already, or was resumed since it was judged. */
  async pause(
    { _id, event_id, resumed }: StoredCampaign,
    { pause_id, pause_reason }: { pause_id: string; pause_reason: string },
  ): Promise<StoredCampaign | null> {
    const judged = { resumed: resumed ?? { $exists: false } }
    return changeOne(
      this.#campaigns,
      { _id, event_id, settled: true, paused_at: null, ...judged },
      { $set: { paused_at: new Date(), pause_reason, pause_id, updated_at: new Date() } },
    )
  }

  /** Ends a campaign's pause. Returns it; null if it is not paused. */
  async resume(
    { _id, event_id, resumed = 0 }: StoredCampaign,
    judged_from: NonNullable<StoredCampaign['judged_from']>,
  ): Promise<StoredCampaign | null> {
    const unpaused = { paused_at: null, pause_reason: null, judged_from, resumed: resumed + 1 }
    return setFields(this.#campaigns, { _id, event_id, settled: true, paused_at: { $ne: null } }, unpaused)
  }

  /** The campaigns of an event of which invitations are held. */
  async *withHeld(event_id: string): AsyncGenerator<StoredCampaign> {
    for await (const campaign of this.#campaigns.find({ event_id })) {
      const held = { event_id, partner_campaign_id: campaign._id, state: 'queued', held: true } as const
      if (await this.#invitations.findOne(held, { hint: BY_STATE, projection: { _id: 1 } })) yield campaign
    }
  }

  /** Pauses a campaign that came with its event, unless it came paused, and has its held invitations wait until a time. Once more is the same. */
  async holdArrived(
    { _id, event_id }: Pick<StoredCampaign, '_id' | 'event_id'>,
    pause_reason: string,
    due_at: Date,
  ): Promise<void> {
    const pause = { $set: { paused_at: new Date(), pause_reason } }
    await this.#campaigns.updateOne({ _id, event_id, paused_at: null }, pause)
    const held = { event_id, partner_campaign_id: _id, state: 'queued', held: true } as const
    await this.#invitations.updateMany(held, { $set: { due_at } }, { hint: BY_STATE })
  }

  /** Releases the held invitations of a campaign. */
  async release({ _id, event_id }: Pick<StoredCampaign, '_id' | 'event_id'>): Promise<void> {
    await this.#invitations.updateMany(
      { event_id, partner_campaign_id: _id, state: 'queued', held: true },
      { $set: { due_at: new Date() }, $unset: { held: 1 } },
      { hint: BY_STATE },
    )
  }
}
