import { hash } from 'node:crypto'
import type { Encrypter } from '@gatehouse/proto/storage/encryption.ts'
import { isDuplicate } from '@gatehouse/proto/storage/mongo.ts'
import type { Collection, Db } from 'mongodb'
import { coalescedFinder, type FindOne } from '../coalesced-reads.ts'

/** What the protocol makes and has to find again: sessions, interactions, grants, codes and tokens. */
interface Artifact {
  /** SHA-256 of account, kind and id, for a session its `uid`: the id itself is a secret and stored nowhere. */
  _id: string
  account_id: string
  kind: string
  /** All of it as JSON, sealed: it names ids of others, and what people typed. */
  sealed: string
  expires_at: Date
  put_at: Date
  /** Who is using it up: a random value of the request. */
  claim?: string
  /** When it was used up; it can be once. */
  consumed_at?: Date
  /** When it was revoked. It stays until it expires, so that nobody stores it again. */
  ended_at?: Date
  /** SHA-256 of the grant that it belongs to. */
  grant?: string
  /** Of a session, SHA-256 of the ids that a browser may show: its present one first, then those that its contact had here before. */
  ids?: string[]
  /** Of a session: how often it has changed. */
  revision?: number
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

/** A session as found. */
export interface FoundSession extends Found {
  revision: number
  ids: string[]
}

/** Hears that access tokens may be void: of a contact, or of any of the account. */
type Voided = (account_id: string, contact_id?: string) => void

/** Ids of its own that a session still answers to. */
const FORMER_IDS = 3

/** The collection of what the protocol makes. Expired ones are never found, and removed by an index in time. */
export class ArtifactStore {
  readonly #artifacts: Collection<Artifact>
  readonly #encrypter: Encrypter
  readonly #byId: FindOne<Artifact>
  readonly #voided: Voided

  /** `voided` hears of each write that may void access tokens, when it is done, also where it failed: nobody knows then what was stored. */
  constructor(db: Db, encrypter: Encrypter, voided: Voided = () => {}) {
    this.#artifacts = db.collection('oidc_artifacts')
    this.#byId = coalescedFinder(this.#artifacts, '_id')
    this.#encrypter = encrypter
    this.#voided = voided
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

  /** Stores an artifact for `seconds`, in the place of one with the same id; not where that one was revoked. */
  async put(
    account_id: string,
    kind: string,
    id: string,
    payload: object,
    seconds: number,
    { grant_id, uid, contact_id, client_id }: Belongings,
  ): Promise<void> {
    const set = {
      ...this.#sealed(payload, seconds),
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
    for (const isLast of [false, true]) {
      try {
        await put()
        return
      } catch (error) {
        if (!isDuplicate(error)) throw error
        // Refused twice: not by another put at the same time, but by one that was revoked.
        if (isLast) return
      }
    }
  }

  /**
   * Puts a session in the place of what it was at `revision`, under the id that it has now. False where it has changed since, or ended:
   * an ended one never comes back. It goes on answering to its former ids where `isSame`: nobody else has signed in with it.
   */
  async putSession(
    account_id: string,
    uid: string,
    id: string,
    payload: object,
    seconds: number,
    { at, contact_id, isSame }: { at: FoundSession; contact_id: string | undefined; isSame: boolean },
  ): Promise<boolean> {
    const own = hashOf(account_id, 'Session', id)
    const former = isSame ? at.ids.filter((each) => each !== own).slice(0, FORMER_IDS) : []
    const put = this.#artifacts.updateOne(
      { _id: hashOf(account_id, 'Session', uid), account_id, revision: at.revision },
      {
        $set: {
          ...this.#sealed(payload, seconds),
          ids: [own, ...former],
          revision: at.revision + 1,
          ...(contact_id && { contact_id }),
        },
      },
    )
    // Tokens of whoever was signed in hang on it.
    const { modifiedCount } = await this.#voiding(put, account_id, at.payload.accountId as string | undefined)
    return modifiedCount === 1
  }

  #sealed(payload: object, seconds: number): Pick<Artifact, 'sealed' | 'expires_at' | 'put_at'> {
    const now = new Date()
    const expires_at = new Date(now.getTime() + seconds * 1000)
    return { sealed: this.#encrypter.encrypt(JSON.stringify(payload)), expires_at, put_at: now }
  }

  async #voiding<T>(write: Promise<T>, account_id: string, contact_id?: string): Promise<T> {
    try {
      return await write
    } finally {
      this.#voided(account_id, contact_id)
    }
  }

  async find(account_id: string, kind: string, id: string): Promise<Found | undefined> {
    return this.#open(await this.#byId(account_id, hashOf(account_id, kind, id)), kind)
  }

  /** A session by the id that a browser shows. */
  async findSession(account_id: string, id: string): Promise<FoundSession | undefined> {
    const ids = hashOf(account_id, 'Session', id)
    return this.#openSession(await this.#artifacts.findOne({ account_id, ids }, { hint: 'account_id_1_ids_1' }))
  }

  /** A session by the id that it keeps for all its life. */
  async findSessionByUid(account_id: string, uid: string): Promise<FoundSession | undefined> {
    return this.#openSession(await this.#byId(account_id, hashOf(account_id, 'Session', uid)))
  }

  /** Whether a grant holds: neither revoked nor expired. */
  async hasGrant(account_id: string, grant_id: string): Promise<boolean> {
    return holds(await this.#byId(account_id, hashOf(account_id, 'Grant', grant_id)), 'Grant')
  }

  #open(found: Artifact | null, kind: string): Found | undefined {
    if (!holds(found, kind)) return undefined
    return { payload: JSON.parse(this.#encrypter.decrypt(found.sealed)), consumed_at: found.consumed_at }
  }

  #openSession(artifact: Artifact | null): FoundSession | undefined {
    const found = this.#open(artifact, 'Session')
    return found && { ...found, revision: artifact?.revision ?? 0, ids: artifact?.ids ?? [] }
  }

  /** Begins to use an artifact up, in the place of a claim that was `left` or of none. False when somebody else did before, or it is gone. */
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

  /** Uses an artifact up. False when it is gone, or somebody else has claimed it since. */
  async consume(account_id: string, kind: string, id: string, claim: string): Promise<boolean> {
    const { modifiedCount } = await this.#artifacts.updateOne(
      { _id: hashOf(account_id, kind, id), account_id, claim, consumed_at: { $exists: false } },
      { $set: { consumed_at: new Date() } },
    )
    return modifiedCount === 1
  }

  /** The claim under which an artifact is being used up. Undefined where it was used up, is gone or nobody's. */
  async claimOf(account_id: string, kind: string, id: string): Promise<string | undefined> {
    const found = await this.#byId(account_id, hashOf(account_id, kind, id))
    return holds(found, kind) && !found.consumed_at ? found.claim : undefined
  }

  /** Ends a grant, and with it all that it gave or ever will. Gives whose it was, to the one caller that ended it. */
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
      const ended = await this.#voiding(end, account_id)
      if (ended) return { contact_id: ended.contact_id, client_id: ended.client_id }
      // As with sessions, one that is written in the same moment may have been passed over.
    } while (await this.hasGrant(account_id, grant_id))
    return undefined
  }

  /** Has an artifact end in so many seconds, if it does not end before. */
  async endIn(account_id: string, kind: string, id: string, seconds: number): Promise<void> {
    const expires_at = new Date(Date.now() + seconds * 1000)
    await this.#artifacts.updateOne({ _id: hashOf(account_id, kind, id), account_id }, { $min: { expires_at } })
  }

  async delete(account_id: string, kind: string, id: string): Promise<void> {
    const write = this.#artifacts.deleteOne({ _id: hashOf(account_id, kind, id), account_id })
    await (kind === 'AccessToken' ? this.#voiding(write, account_id) : write)
  }

  /** Ends a session, by any id that it answers to. */
  async deleteSession(account_id: string, id: string): Promise<void> {
    await this.#voiding(this.#deleteSession({ account_id, ids: hashOf(account_id, 'Session', id) }), account_id)
  }

  async #deleteSession(filter: { account_id: string; ids: string }): Promise<void> {
    // DocumentDB passes over a document that is written in the same moment.
    while ((await this.#artifacts.deleteOne(filter)).deletedCount === 0) {
      if (!(await this.#artifacts.findOne(filter, { projection: { _id: 1 } }))) return
    }
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

function holds(found: Artifact | null, kind: string): found is Artifact {
  return found?.kind === kind && !found.ended_at && found.expires_at > new Date()
}

function hashOf(account_id: string, kind: string, id: string): string {
  return hash('sha256', JSON.stringify([account_id, kind, id]), 'base64url')
}
