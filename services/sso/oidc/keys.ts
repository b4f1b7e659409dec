import { generateKeyPair, hash, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { changeOne } from '@gatehouse/proto/storage/documents.ts'
import type { Encrypter } from '@gatehouse/proto/storage/encryption.ts'
import { insertOnce } from '@gatehouse/proto/storage/mongo.ts'
import type { Collection, Db } from 'mongodb'
import type { JWK } from 'oidc-provider'

const generate = promisify(generateKeyPair)

const DAY_MS = 86_400_000
/** The age of a signing key at which the next one is made. */
const ROTATE_MS = 90 * DAY_MS
/** A new key is published for this long before it signs, because sites and replicas cache the keys. */
const ANNOUNCED_MS = DAY_MS
/** How long a key is published after it stops signing. */
const KEPT_MS = 30 * DAY_MS

interface StoredKey {
  kid: string
  /** The private key, as JWK, sealed. */
  sealed: string
  /** When it starts signing. */
  signs_from: Date
}

interface SigningKeys {
  /** Id of the account. */
  _id: string
  /** 32 bytes for cookies, sealed. */
  cookies: string
  /** In the order of `signs_from`. */
  signing: StoredKey[]
  /** Incremented by each rotation, so concurrent rotations make one key. */
  revision: number
}

/** The keys of an account for its provider. */
export interface Keys {
  /** Changes with the keys, and when another one starts signing. */
  version: string
  /** The first one signs. */
  signing: JWK[]
  cookies: Buffer
}

/** The signing keys of accounts: made on demand, stored sealed, and rotated. */
export class KeyStore {
  readonly #keys: Collection<SigningKeys>
  readonly #encrypter: Encrypter

  constructor(db: Db, encrypter: Encrypter) {
    this.#keys = db.collection('oidc_keys')
    this.#encrypter = encrypter
  }

  /** An account's keys. Makes a new one if the newest is old. */
  async of(account_id: string, now = new Date()): Promise<Keys> {
    const stored = (await this.#keys.findOne({ _id: account_id })) ?? (await this.#create(account_id, now))
    const newest = stored.signing.at(-1)
    const isOld = !newest || now.getTime() - newest.signs_from.getTime() > ROTATE_MS
    return this.#open(isOld ? await this.rotate(account_id, now) : stored, now)
  }

  /** Makes the next key of an account, which signs a day later, and deletes keys that are long out of use. */
  async rotate(account_id: string, now = new Date()): Promise<SigningKeys> {
    const current = (await this.#keys.findOne({ _id: account_id })) ?? (await this.#create(account_id, now))
    const next = await this.#newKey(new Date(now.getTime() + ANNOUNCED_MS))
    // A key is in use until the next one starts signing.
    const kept = current.signing.filter((_, index) => {
      const successor = current.signing[index + 1]
      return !successor || now.getTime() - successor.signs_from.getTime() < KEPT_MS
    })
    const after = await changeOne(
      this.#keys,
      { _id: account_id, revision: current.revision },
      { $set: { signing: [...kept, next] }, $inc: { revision: 1 } },
    )
    // Another process was faster; its key is used.
    return after ?? ((await this.#keys.findOne({ _id: account_id })) as SigningKeys)
  }

  async #create(account_id: string, now: Date): Promise<SigningKeys> {
    const keys: SigningKeys = {
      _id: account_id,
      cookies: this.#encrypter.encrypt(randomBytes(32).toString('base64')),
      signing: [await this.#newKey(now)],
      revision: 0,
    }
    return insertOnce(this.#keys, keys)
  }

  /** RS256, because each client of OpenID Connect supports it. */
  async #newKey(signs_from: Date): Promise<StoredKey> {
    const { privateKey } = await generate('rsa', { modulusLength: 2048 })
    const jwk = privateKey.export({ format: 'jwk' })
    const kid = hash('sha256', JSON.stringify({ e: jwk.e, kty: jwk.kty, n: jwk.n }), 'base64url')
    return { kid, sealed: this.#encrypter.encrypt(JSON.stringify(jwk)), signs_from }
  }

  #open({ cookies, signing, revision }: SigningKeys, now: Date): Keys {
    const inUse = signing.filter(({ signs_from }) => signs_from <= now).toReversed()
    const coming = signing.filter(({ signs_from }) => signs_from > now)
    const jwks = [...inUse, ...coming].map(
      ({ kid, sealed }) => ({ ...JSON.parse(this.#encrypter.decrypt(sealed)), kid, alg: 'RS256', use: 'sig' }) as JWK,
    )
    return {
      version: `${revision}:${jwks[0]?.kid}`,
      signing: jwks,
      cookies: Buffer.from(this.#encrypter.decrypt(cookies), 'base64'),
    }
  }
}
