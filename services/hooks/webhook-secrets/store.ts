import { randomBytes } from 'node:crypto'
import { changeOne } from '@gatehouse/proto/storage/documents.ts'
import type { Encrypter } from '@gatehouse/proto/storage/encryption.ts'
import { unlessTaken } from '@gatehouse/proto/storage/mongo.ts'
import type { Collection, Db } from 'mongodb'

/** How long a previous secret still signs. */
const ALONG_MS = 24 * 3_600_000
const KEY_BYTES = 32
/** Most previous secrets: each adds a signature to a header. */
const MAX_ALONG = 5

/** An account's signing secrets as stored, sealed. */
interface StoredSecrets {
  /** Id of the account. */
  _id: string
  current: string
  /** Earlier ones, newest first. */
  previous: { sealed: string; until: Date }[]
}

/** An account's signing secrets, `whsec_…`. */
export interface Secrets {
  current: string
  /** Previous ones that still sign, newest first. */
  previous: { secret: string; until: Date }[]
}

/** The webhook secrets collection. */
export class WebhookSecretStore {
  readonly #secrets: Collection<StoredSecrets>
  readonly #encrypter: Encrypter

  constructor(db: Db, encrypter: Encrypter) {
    this.#secrets = db.collection('webhook_secrets')
    this.#encrypter = encrypter
  }

  /** The secrets of an account; the first one is made on demand. */
  async of(account_id: string): Promise<Secrets> {
    return this.#opened(await this.#stored(account_id))
  }

  /** Makes a new secret. The current one signs beside it for a day. */
  async roll(account_id: string): Promise<Secrets> {
    for (;;) {
      const { current, previous } = await this.#stored(account_id)
      const now = Date.now()
      const along = [{ sealed: current, until: new Date(now + ALONG_MS) }, ...previous.filter(isValid)]
      const rolled = await changeOne(
        this.#secrets,
        { _id: account_id, current },
        { $set: { current: this.#make(), previous: along.slice(0, MAX_ALONG) } },
      )
      // Undefined if another request rolled it meanwhile: then that secret must stay valid too.
      if (rolled) return this.#opened(rolled)
    }
  }

  async #stored(account_id: string): Promise<StoredSecrets> {
    const known = await this.#secrets.findOne({ _id: account_id })
    if (known) return known
    const fresh: StoredSecrets = { _id: account_id, current: this.#make(), previous: [] }
    const inserted = await unlessTaken(this.#secrets.insertOne(fresh))
    return inserted ? fresh : this.#stored(account_id)
  }

  #make(): string {
    return this.#encrypter.encrypt(`whsec_${randomBytes(KEY_BYTES).toString('base64')}`)
  }

  #opened({ current, previous }: StoredSecrets): Secrets {
    return {
      current: this.#encrypter.decrypt(current),
      previous: previous
        .filter(isValid)
        .map(({ sealed, until }) => ({ secret: this.#encrypter.decrypt(sealed), until })),
    }
  }
}

function isValid({ until }: { until: Date }): boolean {
  return until.getTime() > Date.now()
}
