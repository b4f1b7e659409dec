import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { deleteOne } from '@gatehouse/proto/storage/documents.ts'
import type { Encrypter } from '@gatehouse/proto/storage/encryption.ts'
import type { Collection } from 'mongodb'
import type { FindOne } from '../coalesced-reads.ts'
import { type Artifact, type FoundArtifact, hashOf, opened, sealed, voiding } from './artifact-documents.ts'

/** A found session. */
export interface FoundSession extends FoundArtifact {
  revision: number
  ids: string[]
}

/** A change of a session. */
interface SessionChange {
  /** The session before. */
  at: FoundSession
  contact_id: string | undefined
  /** Whether its contact stays the same. */
  isSame: boolean
}

/** Earlier ids to which a session still answers. */
const FORMER_IDS = 3

/** The sessions among the artifacts. */
export class SessionStore {
  readonly #artifacts: Collection<Artifact>
  readonly #byId: FindOne<Artifact>
  readonly #encrypter: Encrypter
  readonly #bus: Bus | undefined

  constructor(
    artifacts: Collection<Artifact>,
    { byId, encrypter, bus }: { byId: FindOne<Artifact>; encrypter: Encrypter; bus: Bus | undefined },
  ) {
    this.#artifacts = artifacts
    this.#byId = byId
    this.#encrypter = encrypter
    this.#bus = bus
  }

  /** A session by an id that a browser sends. */
  async find(account_id: string, id: string): Promise<FoundSession | undefined> {
    const ids = hashOf(account_id, 'Session', id)
    return this.#open(await this.#artifacts.findOne({ account_id, ids }, { hint: 'account_id_1_ids_1' }))
  }

  /** A session by the id that it keeps all its life. */
  async findByUid(account_id: string, uid: string): Promise<FoundSession | undefined> {
    return this.#open(await this.#byId(account_id, hashOf(account_id, 'Session', uid)))
  }

  #open(artifact: Artifact | null): FoundSession | undefined {
    const found = opened(this.#encrypter, artifact, 'Session')
    return found && { ...found, revision: artifact?.revision ?? 0, ids: artifact?.ids ?? [] }
  }

  /**
   * Replaces a session at a revision and returns it the current id. False if it has changed since or ended: an ended one never comes back. It
   * still answers to former ids if its contact stays the same.
   */
  async replace(
    account_id: string,
    uid: string,
    id: string,
    payload: object,
    seconds: number,
    { at, contact_id, isSame }: SessionChange,
  ): Promise<boolean> {
    const own = hashOf(account_id, 'Session', id)
    const former = isSame ? at.ids.filter((each) => each !== own).slice(0, FORMER_IDS) : []
    const replace = this.#artifacts.updateOne(
      { _id: hashOf(account_id, 'Session', uid), account_id, revision: at.revision },
      {
        $set: {
          ...sealed(this.#encrypter, payload, seconds),
          ids: [own, ...former],
          revision: at.revision + 1,
          ...(contact_id && { contact_id }),
        },
      },
    )
    // Tokens of the contact who was signed in depend on it.
    const former_contact = at.payload.accountId as string | undefined
    const { modifiedCount } = await voiding(this.#bus, replace, account_id, former_contact)
    return modifiedCount === 1
  }

  /** Deletes a session by any id to which it answers. */
  async delete(account_id: string, id: string): Promise<void> {
    await voiding(
      this.#bus,
      deleteOne(this.#artifacts, { account_id, ids: hashOf(account_id, 'Session', id) }),
      account_id,
    )
  }

  /** Deletes a session by the id that it keeps all its life. */
  async deleteByUid(account_id: string, uid: string): Promise<void> {
    await voiding(
      this.#bus,
      deleteOne(this.#artifacts, { account_id, _id: hashOf(account_id, 'Session', uid) }),
      account_id,
    )
  }
}
