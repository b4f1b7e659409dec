import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import { text } from '../declaring/fields.ts'
import { type ServiceConfig, serviceSettings } from '../process/service.ts'

/** The settings of a service that encrypts secrets. */
export const encryptionSettings = {
  ...serviceSettings,
  secrets_key: text({
    pattern: '^[A-Za-z0-9+/]{43}=$',
    description: '32 random bytes as base64: openssl rand -base64 32',
  }),
}

/** The settings as read. */
export interface EncryptionConfig extends ServiceConfig {
  secrets_key: string
}

const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * Encrypts secrets at rest (AES-256-GCM) which the service reads again: signing secrets, ciphering keys. Secrets that are only compared are
 * stored as hashes instead.
 */
export class Encrypter {
  readonly #key: KeyObject

  /** `secretsKey` is base64 of 32 bytes, the same for all replicas. */
  constructor(secretsKey: string) {
    this.#key = createSecretKey(secretsKey, 'base64')
  }

  /** Encrypts a text: base64 of nonce, cipher text and tag, different each time. */
  encrypt(plain: string): string {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce)
    return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]).toString('base64')
  }

  /** Decrypts the result of `encrypt`. Throws when it was changed or encrypted under another key. */
  decrypt(sealed: string): string {
    const bytes = Buffer.from(sealed, 'base64')
    const end = bytes.length - TAG_BYTES
    const decipher = createDecipheriv('aes-256-gcm', this.#key, bytes.subarray(0, NONCE_BYTES))
    decipher.setAuthTag(bytes.subarray(end))
    const plain = decipher.update(bytes.subarray(NONCE_BYTES, end))
    // `final` gives no text in this mode; it compares the tag.
    decipher.final()
    return plain.toString()
  }
}
