import { type Adopted, type Adoption, adoptAll, storedWith } from '@gatehouse/proto/storage/adopting.ts'
import { changeOne, setFields } from '@gatehouse/proto/storage/documents.ts'
import { insertEachOnce, insertOnce } from '@gatehouse/proto/storage/mongo.ts'
import { type Collection, type Db, ObjectId } from 'mongodb'
import type { InvitationType } from './resource.ts'

/** An invitation type as stored; older ones have a name alone. */
export interface StoredInvitationType extends InvitationType {
  /** Set by a deletion while it looks for campaigns (`markForDeletion`). */
  deletion_mark?: string
  /** How another system gave it last; absent if it was made here. */
  adopted?: Adoption
}

/**
 * The invitation types collection.
 *
 * A type is deleted only while it has no campaigns, without a transaction, as guest categories are. A deletion (1) marks the type, (2) looks
 * for campaigns, (3) deletes the type only if its own mark is still there. A creation of a campaign (a) stores the campaign, not yet
 * visible, (b) confirms the type: it removes any mark, or finds the type gone and withdraws the campaign. If (b) finds no mark, (a) came
 * before (1) and so before (2), which finds the campaign. If (b) removes a mark, (3) fails.
 */
export class InvitationTypeStore {
  readonly #types: Collection<StoredInvitationType>

  constructor(db: Db) {
    this.#types = db.collection('invitation_types')
  }

  async prepare(): Promise<void> {
    await this.#types.createIndex({ event_id: 1, created_at: 1, _id: 1 })
  }

  /** In the order of their creation. */
  async ofEvent(event_id: string): Promise<InvitationType[]> {
    return this.#types
      .find({ event_id }, { projection: { deletion_mark: 0 } })
      .sort({ created_at: 1, _id: 1 })
      .toArray()
  }

  async get(event_id: string, _id: string): Promise<InvitationType | null> {
    return this.#types.findOne({ _id, event_id })
  }

  /** Stores a new type. Returns it, or the one that an earlier try stored. */
  async insert(type: InvitationType): Promise<InvitationType> {
    return insertOnce(this.#types, type)
  }

  /** Stores types of another system, or compares them. */
  async adopt(types: InvitationType[], compares: boolean): Promise<Adopted[]> {
    return adoptAll(this.#types, types, { compares })
  }

  /** Stores new types, of which an earlier try may have stored some. */
  async insertMany(types: InvitationType[]): Promise<void> {
    if (types.length > 0) await insertEachOnce(this.#types, types)
  }

  /** Those with these ids. */
  withIds(event_id: string, ids: string[]): Promise<StoredInvitationType[]> {
    return storedWith(this.#types, event_id, ids)
  }

  async update(event_id: string, _id: string, changes: Partial<InvitationType>): Promise<InvitationType | null> {
    return setFields(this.#types, { _id, event_id }, changes)
  }

  /** Step (b): whether a campaign that was just stored may stay in the type. */
  async confirm(event_id: string, _id: string): Promise<boolean> {
    const { matchedCount } = await this.#types.updateOne({ _id, event_id }, { $unset: { deletion_mark: 1 } })
    return matchedCount > 0
  }

  /** Step (1): the type with a mark of this deletion; null if there is no such type. */
  async markForDeletion(event_id: string, _id: string): Promise<StoredInvitationType | null> {
    const deletion_mark = new ObjectId().toHexString()
    return changeOne(this.#types, { _id, event_id }, { $set: { deletion_mark } })
  }

  /** Step (3): deletes the type unless a campaign came after the mark. */
  async deleteMarked({ _id, event_id, deletion_mark }: StoredInvitationType): Promise<boolean> {
    if (!deletion_mark) return false
    const { deletedCount } = await this.#types.deleteOne({ _id, event_id, deletion_mark })
    return deletedCount > 0
  }
}
