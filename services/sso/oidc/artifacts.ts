import { hash } from 'node:crypto'
import { isDuplicate } from '@gatehouse/proto/mongo.ts'
import type { Sealer } from '@gatehouse/proto/sealing.ts'
import type { Collection, Db } from 'mongodb'
import { type FindOne, foundTogether } from '../together.ts'

/** What the protocol makes and has to find again: sessions, interactions, grants, codes and tokens. */
interface Artifact {
  /** SHA-256 of account, kind and id: the id itself is a secret and stored nowhere. */
  _id: string
  account_id: string
  kind: string
  /** All of it as JSON, sealed: it names ids of others, and what people typed. */
  sealed: string
  expires_at: Date
  put_at: Date
  /** When it was used up; it can be once. */
  consumed_at?: Date
  /** SHA-256 of the grant that it belongs to. */
  grant?: string
  /** SHA-256 of the other id that a session has. */
  uid?: string
  contact_id?: string
  client_id?: string
}

/** What a kind's document is found by besides its id. */
export interface Belongings {
  grant_id?: string | undefined
  uid?: string | undefined
  contact_id?: string | undefined
  client_id?: string | undefined
}

/** An artifact as found: what was put, and whether it was used up. */
export interface Found {
  payload: Record<string, unknown>
  consumed_at: Date | undefined
}

/** The collection of what the protocol makes. Expired ones are never found, and removed by an index in time. */
export class ArtifactStore {
  readonly #artifacts: Collection<Artifact>
  readonly #sealer: Sealer
  readonly #byId: FindOne<Artifact>
  readonly #byUid: FindOne<Artifact>

  constructor(db: Db, sealer: Sealer) {
    this.#artifacts = db.collection('oidc_artifacts')
    this.#byId = foundTogether(this.#artifacts, '_id')
    this.#byUid = foundTogether(this.#artifacts, 'uid', 'account_id_1_uid_1')
    this.#sealer = sealer
  }

  async prepare(): Promise<void> {
    await this.#artifacts.createIndexes([
      { key: { expires_at: 1 }, expireAfterSeconds: 0 },
      { key: { account_id: 1, grant: 1 } },
      { key: { account_id: 1, uid: 1 } },
      { key: { account_id: 1, contact_id: 1 } },
      { key: { account_id: 1, client_id: 1 } },
    ])
  }

  /** Stores an artifact for `seconds`, in the place of one with the same id. */
  async put(
    account_id: string,
    kind: string,
    id: string,
    payload: object,
    seconds: number,
    { grant_id, uid, contact_id, client_id }: Belongings,
  ): Promise<void> {
    const set = {
      sealed: this.#sealer.seal(JSON.stringify(payload)),
      expires_at: new Date(Date.now() + seconds * 1000),
      put_at: new Date(),
      ...(grant_id && { grant: hashOf(account_id, 'grant', grant_id) }),
      ...(uid && { uid: hashOf(account_id, 'uid', uid) }),
      ...(contact_id && { contact_id }),
      ...(client_id && { client_id }),
    }
    const put = () =>
      this.#artifacts.updateOne(
        { _id: hashOf(account_id, kind, id), account_id },
        { $set: set, $setOnInsert: { kind } },
        { upsert: true },
      )
    try {
      await put()
    } catch (error) {
      if (!isDuplicate(error)) throw error
      await put()
    }
  }

  async find(account_id: string, kind: string, id: string): Promise<Found | undefined> {
    return this.#open(await this.#byId(account_id, hashOf(account_id, kind, id)), kind)
  }

  async findByUid(account_id: string, kind: string, uid: string): Promise<Found | undefined> {
    return this.#open(await this.#byUid(account_id, hashOf(account_id, 'uid', uid)), kind)
  }

  #open(found: Artifact | null, kind: string): Found | undefined {
    if (found?.kind !== kind || found.expires_at <= new Date()) return undefined
    return { payload: JSON.parse(this.#sealer.open(found.sealed)), consumed_at: found.consumed_at }
  }

  /** Uses an artifact up. False when somebody else did before, or it is gone. */
  async consume(account_id: string, kind: string, id: string): Promise<boolean> {
    const { modifiedCount } = await this.#artifacts.updateOne(
      { _id: hashOf(account_id, kind, id), account_id, consumed_at: { $exists: false } },
      { $set: { consumed_at: new Date() } },
    )
    return modifiedCount === 1
  }

  async delete(account_id: string, kind: string, id: string): Promise<void> {
    await this.#artifacts.deleteOne({ _id: hashOf(account_id, kind, id), account_id })
  }

  /** Removes all of one kind that a grant gave. */
  async deleteOfGrant(account_id: string, kind: string, grant_id: string): Promise<void> {
    await this.#artifacts.deleteMany({ account_id, grant: hashOf(account_id, 'grant', grant_id), kind })
  }

  /** Removes all that a contact is signed in with, and was by then: it may have signed in anew since. */
  async deleteOfContact(account_id: string, contact_id: string, then: Date): Promise<void> {
    await this.#artifacts.deleteMany({ account_id, contact_id, put_at: { $lte: then } })
  }

  /** Removes all that an app was given by then. */
  async deleteOfClient(account_id: string, client_id: string, then: Date): Promise<void> {
    await this.#artifacts.deleteMany({ account_id, client_id, put_at: { $lte: then } })
  }
}

function hashOf(account_id: string, kind: string, id: string): string {
  return hash('sha256', JSON.stringify([account_id, kind, id]), 'base64url')
}
