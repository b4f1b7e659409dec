import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { deleteOne } from '@gatehouse/proto/storage/documents.ts'
import type { Encrypter } from '@gatehouse/proto/storage/encryption.ts'
import { unlessTaken } from '@gatehouse/proto/storage/mongo.ts'
import { upserted } from '@gatehouse/proto/storage/upserted.ts'
import type { Collection, Db } from 'mongodb'
import { coalescedFinder, type FindOne } from '../coalesced-reads.ts'
import { type Artifact, type FoundArtifact, hashOf, holds, opened, sealed, voiding } from './artifact-documents.ts'
import { SessionStore } from './session-store.ts'

/** What an artifact belongs to. */
export interface Belongings {
  grant_id?: string | undefined
  uid?: string | undefined
  contact_id?: string | undefined
  client_id?: string | undefined
}

/** The artifacts collection. Expired ones are never found, and an index removes them in time. */
export class ArtifactStore {
  readonly sessions: SessionStore
  readonly #artifacts: Collection<Artifact>
  readonly #encrypter: Encrypter
  readonly #byId: FindOne<Artifact>
  readonly #bus: Bus | undefined

  /** Writes that may void access tokens are announced on the bus, if one is given. */
  constructor(db: Db, encrypter: Encrypter, bus?: Bus) {
    this.#artifacts = db.collection('oidc_artifacts')
    this.#byId = coalescedFinder(this.#artifacts, '_id')
    this.#encrypter = encrypter
    this.#bus = bus
    this.sessions = new SessionStore(this.#artifacts, { byId: this.#byId, encrypter, bus })
  }

  async prepare(): Promise<void> {
    await this.#artifacts.createIndexes([
      { key: { expires_at: 1 }, expireAfterSeconds: 0 },
      { key: { account_id: 1, grant: 1 } },
      { key: { account_id: 1, ids: 1 } },
      { key: { account_id: 1, contact_id: 1 } },
      { key: { account_id: 1, client_id: 1 } },
    ])
  }

  /** Stores an artifact for `seconds`. It replaces one with the same id, unless that was revoked. */
  async put(
    account_id: string,
    kind: string,
    id: string,
    payload: object,
    seconds: number,
    { grant_id, uid, contact_id, client_id }: Belongings,
  ): Promise<void> {
    const set = {
      ...sealed(this.#encrypter, payload, seconds),
      ...(grant_id && { grant: hashOf(account_id, 'grant', grant_id) }),
      ...(uid && { ids: [hashOf(account_id, kind, id)], revision: 1 }),
      ...(contact_id && { contact_id }),
      ...(client_id && { client_id }),
    }
    const put = () =>
      this.#artifacts.updateOne(
        { _id: hashOf(account_id, kind, uid ?? id), account_id, ended_at: { $exists: false } },
        { $set: set, $setOnInsert: { kind } },
        { upsert: true },
      )
    // Refused twice if it was revoked.
    await unlessTaken(upserted(put))
  }

  async find(account_id: string, kind: string, id: string): Promise<FoundArtifact | undefined> {
    return opened(this.#encrypter, await this.#byId(account_id, hashOf(account_id, kind, id)), kind)
  }

  /** Whether a grant is neither revoked nor expired. */
  async hasGrant(account_id: string, grant_id: string): Promise<boolean> {
    return holds(await this.#byId(account_id, hashOf(account_id, 'Grant', grant_id)), 'Grant')
  }

  /** Claims an artifact for use, in place of the abandoned claim `left` or of none. False if it is gone or another request claimed it. */
  async claim(account_id: string, kind: string, id: string, claim: string, left?: string): Promise<boolean> {
    const { modifiedCount } = await this.#artifacts.updateOne(
      {
        _id: hashOf(account_id, kind, id),
        account_id,
        claim: left ?? { $exists: false },
        consumed_at: { $exists: false },
      },
      { $set: { claim } },
    )
    return modifiedCount === 1
  }

  /** Uses an artifact up. False if it is gone or another request has claimed it since. */
  async consume(account_id: string, kind: string, id: string, claim: string): Promise<boolean> {
    const { modifiedCount } = await this.#artifacts.updateOne(
      { _id: hashOf(account_id, kind, id), account_id, claim, consumed_at: { $exists: false } },
      { $set: { consumed_at: new Date() } },
    )
    return modifiedCount === 1
  }

  /** The claim on an artifact. Undefined if it is used up, gone or unclaimed. */
  async claimOf(account_id: string, kind: string, id: string): Promise<string | undefined> {
    const found = await this.#byId(account_id, hashOf(account_id, kind, id))
    return holds(found, kind) && !found.consumed_at ? found.claim : undefined
  }

  /** Ends a grant, and with it all its artifacts, present and future. Returns its owners to the one caller that ended it. */
  async endGrant(
    account_id: string,
    grant_id: string,
  ): Promise<{ contact_id: string | undefined; client_id: string | undefined } | undefined> {
    do {
      const end = this.#artifacts.findOneAndUpdate(
        { _id: hashOf(account_id, 'Grant', grant_id), account_id, ended_at: { $exists: false } },
        { $set: { ended_at: new Date(), sealed: '' } },
        { projection: { contact_id: 1, client_id: 1 } },
      )
      const ended = await voiding(this.#bus, end, account_id)
      if (ended) return { contact_id: ended.contact_id, client_id: ended.client_id }
      // As with sessions, DocumentDB may skip a grant that is written at the same moment.
    } while (await this.hasGrant(account_id, grant_id))
    return undefined
  }

  /** Makes an artifact expire in `seconds` at the latest. */
  async endIn(account_id: string, kind: string, id: string, seconds: number): Promise<void> {
    const expires_at = new Date(Date.now() + seconds * 1000)
    await this.#artifacts.updateOne({ _id: hashOf(account_id, kind, id), account_id }, { $min: { expires_at } })
  }

  async delete(account_id: string, kind: string, id: string): Promise<void> {
    const write = deleteOne(this.#artifacts, { _id: hashOf(account_id, kind, id), account_id })
    await (kind === 'AccessToken' ? voiding(this.#bus, write, account_id) : write)
  }

  /** Deletes a grant's artifacts of one kind. */
  async deleteOfGrant(account_id: string, kind: string, grant_id: string): Promise<void> {
    await this.#artifacts.deleteMany({ account_id, grant: hashOf(account_id, 'grant', grant_id), kind })
  }

  /** Deletes a contact's artifacts that were stored until `then`: it may have signed in again since. */
  async deleteOfContact(account_id: string, contact_id: string, then: Date): Promise<void> {
    await this.#artifacts.deleteMany({ account_id, contact_id, put_at: { $lte: then } })
  }

  /** Deletes an app's artifacts that were stored until `then`. */
  async deleteOfClient(account_id: string, client_id: string, then: Date): Promise<void> {
    await this.#artifacts.deleteMany({ account_id, client_id, put_at: { $lte: then } })
  }
}
