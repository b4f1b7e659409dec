import { createSecretKey, type KeyObject } from 'node:crypto'
import { sealed, unsealed } from './sealing.ts'

/**
 * Encrypts secrets at rest (AES-256-GCM) that the service reads again: signing secrets, ciphering keys. Secrets that are only compared are
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
    return sealed(this.#key, plain).toString('base64')
  }

  /** Decrypts the result of `encrypt`. Throws when it was changed or encrypted under another key. */
  decrypt(encrypted: string): string {
    return unsealed(this.#key, Buffer.from(encrypted, 'base64')).toString()
  }
}
