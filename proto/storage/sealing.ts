import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto'

const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Encrypts bytes or a text (AES-256-GCM): nonce, cipher text and tag, different each time. */
export function sealed(key: KeyObject | Buffer, plain: string | Uint8Array): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

/** Decrypts what {@link sealed} gave. Throws when it was changed or encrypted under another key. */
export function unsealed(key: KeyObject | Buffer, bytes: Uint8Array): Buffer {
  const end = bytes.length - TAG_BYTES
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES))
  decipher.setAuthTag(bytes.subarray(end))
  return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, end)), decipher.final()])
}
